import type { Database } from 'sql.js';

interface Migration {
  readonly name: string;
  /** may be run again */
  readonly sql: string;
}

/** In the order they are applied, each once by its name. One that is out in the world is never changed. */
const MIGRATIONS: readonly Migration[] = [
  {
    name: '2026-12-memories',
    sql: `CREATE TABLE IF NOT EXISTS memories (
      id TEXT PRIMARY KEY, text TEXT NOT NULL, category TEXT NOT NULL, importance INTEGER NOT NULL,
      source TEXT NOT NULL, session_id TEXT, entry_id TEXT, status TEXT NOT NULL, is_pinned INTEGER NOT NULL,
      created_ms REAL NOT NULL, updated_ms REAL NOT NULL, used_ms REAL, uses INTEGER NOT NULL, expires_ms REAL
    ) WITHOUT ROWID`,
  },
  {
    name: '2026-12-forgotten',
    sql: `CREATE TABLE IF NOT EXISTS forgotten (
      id TEXT PRIMARY KEY, hash TEXT NOT NULL, at_ms REAL NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS forgotten_by_hash ON forgotten (hash)`,
  },
  {
    name: '2026-12-views',
    sql: 'CREATE TABLE IF NOT EXISTS views (file TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID',
  },
  {
    name: '2026-12-writers',
    sql: `CREATE TABLE IF NOT EXISTS writers (
      id TEXT PRIMARY KEY, seq INTEGER NOT NULL, at_ms REAL NOT NULL
    ) WITHOUT ROWID`,
  },
];

/** The store is of a version of the product that came after this one: what it means is not known here. */
export class NewerStoreError extends Error {
  override readonly name = 'NewerStoreError';

  constructor(folder: string) {
    super(
      `The project memory in ${folder} was written by a newer version of Plimsoll. It is left as it is: update Plimsoll, or reload the window if it was just updated.`,
    );
  }
}

/** Whether the database is a store, of this version or an earlier one; `newer` for one of a later version. */
export function versionOf(database: Database): 'known' | 'newer' | 'none' {
  const tables = database.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'");
  if (tables.length === 0) return 'none';
  const known = new Set(MIGRATIONS.map(({ name }) => name));
  return appliedIn(database).some((name) => !known.has(name)) ? 'newer' : 'known';
}

export function migrate(database: Database): void {
  database.run('CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, at_ms REAL NOT NULL)');
  const applied = new Set(appliedIn(database));
  for (const { name, sql } of MIGRATIONS.filter((migration) => !applied.has(migration.name))) {
    database.exec(`BEGIN; ${sql};`);
    database.run('INSERT INTO migrations VALUES (?, ?)', [name, Date.now()]);
    database.run('COMMIT');
  }
}

function appliedIn(database: Database): readonly string[] {
  return database
    .exec('SELECT name FROM migrations')
    .flatMap(({ values }) => values.map(([name]) => String(name)));
}
