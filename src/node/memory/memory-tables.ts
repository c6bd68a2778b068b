import type { BindParams, Database, ParamsObject, SqlJsStatic, Statement } from 'sql.js';
import type { Memory, MemoryId } from '../../core/model/memory.ts';
import { memoryFrom } from './journal-record.ts';
import { migrate, versionOf } from './migrations.ts';

const PUT =
  'INSERT OR REPLACE INTO memories VALUES (:id, :text, :category, :importance, :source, :session_id, :entry_id, ' +
  ':status, :is_pinned, :created_ms, :updated_ms, :used_ms, :uses, :expires_ms)';

/** A writer that was not heard of for so long has no lines anywhere. */
const WRITER_MS = 30 * 24 * 3_600_000;

/** The database of a store: rows in and out, and the bytes of the image. */
export class MemoryTables {
  readonly #database: Database;
  readonly #statements = new Map<string, Statement>();

  private constructor(database: Database) {
    this.#database = database;
    this.#configure();
  }

  static empty(sql: SqlJsStatic): MemoryTables {
    const database = new sql.Database();
    migrate(database);
    return new MemoryTables(database);
  }

  /** Undefined for bytes that are no store, or a damaged one; `newer` for one of a later version. */
  static from(sql: SqlJsStatic, bytes: Uint8Array): MemoryTables | 'newer' | undefined {
    let database: Database | undefined;
    try {
      database = new sql.Database(bytes);
      const version = versionOf(database);
      const isWhole = version === 'known' && database.exec('PRAGMA quick_check')[0]?.values[0]?.[0] === 'ok';
      if (isWhole) {
        migrate(database);
        return new MemoryTables(database);
      }
      database.close();
      return version === 'newer' ? 'newer' : undefined;
    } catch {
      database?.close();
      return undefined; // SQLite finds no database in it
    }
  }

  /** Yields undefined for a row that is no memory. */
  *memories(): Generator<Memory | undefined> {
    const statement = this.#database.prepare('SELECT * FROM memories');
    try {
      while (statement.step()) yield memoryOf(statement.getAsObject());
    } finally {
      statement.free();
    }
  }

  /** Each id with the hash of what it said. */
  forgotten(): readonly (readonly [MemoryId, string])[] {
    return this.#rows('SELECT id, hash FROM forgotten').map(({ id, hash }) => [String(id), String(hash)]);
  }

  /** Each file with its text. */
  views(): readonly (readonly [string, string])[] {
    return this.#rows('SELECT file, text FROM views').map(({ file, text }) => [String(file), String(text)]);
  }

  /** Each with the number of its last record in here. */
  writers(): readonly (readonly [string, number])[] {
    return this.#rows('SELECT id, seq FROM writers').map(({ id, seq }) => [String(id), Number(seq)]);
  }

  put(memory: Memory): void {
    this.#run('DELETE FROM forgotten WHERE id = ?', [memory.id]);
    this.#run(PUT, rowOf(memory));
  }

  forget(id: MemoryId, hash: string, atMs: number): void {
    this.#run('DELETE FROM memories WHERE id = ?', [id]);
    this.#run('INSERT OR REPLACE INTO forgotten VALUES (?, ?, ?)', [id, hash, atMs]);
  }

  setView(file: string, text: string | undefined): void {
    if (text === undefined) this.#run('DELETE FROM views WHERE file = ?', [file]);
    else this.#run('INSERT OR REPLACE INTO views VALUES (?, ?)', [file, text]);
  }

  setWriter(id: string, seq: number, atMs: number): void {
    this.#run('INSERT OR REPLACE INTO writers VALUES (?, ?, ?)', [id, seq, atMs]);
  }

  /** The image. Blocks for some 10 ms at ten thousand memories. */
  toBytes(nowMs: number): Uint8Array {
    this.#run('DELETE FROM writers WHERE at_ms < ?', [nowMs - WRITER_MS]);
    const bytes = this.#database.export();
    // It has closed the database, with its statements, and opened it again.
    this.#statements.clear();
    this.#configure();
    return bytes;
  }

  close(): void {
    this.#database.close();
  }

  #run(query: string, values: BindParams): void {
    const statement = this.#statements.get(query) ?? this.#database.prepare(query);
    this.#statements.set(query, statement);
    statement.run(values);
  }

  #configure(): void {
    // What was deleted is overwritten: words that were forgotten are not in the image.
    this.#database.run('PRAGMA secure_delete = ON');
  }

  #rows(query: string): readonly ParamsObject[] {
    const statement = this.#database.prepare(query);
    try {
      const rows: ParamsObject[] = [];
      while (statement.step()) rows.push(statement.getAsObject());
      return rows;
    } finally {
      statement.free();
    }
  }
}

function rowOf(memory: Memory): Record<string, string | number | null> {
  return {
    ':id': memory.id,
    ':text': memory.text,
    ':category': memory.category,
    ':importance': memory.importance,
    ':source': memory.source,
    ':session_id': memory.origin?.sessionId ?? null,
    ':entry_id': memory.origin?.entryId ?? null,
    ':status': memory.status,
    ':is_pinned': memory.isPinned ? 1 : 0,
    ':created_ms': memory.createdMs,
    ':updated_ms': memory.updatedMs,
    ':used_ms': memory.usedMs ?? null,
    ':uses': memory.uses,
    ':expires_ms': memory.expiresMs ?? null,
  };
}

function memoryOf(row: ParamsObject): Memory | undefined {
  const { session_id: sessionId, entry_id: entryId, used_ms: usedMs, expires_ms: expiresMs } = row;
  const { id, text, category, importance, source, status, uses } = row;
  return memoryFrom({
    ...{ id, text, category, importance, source, status, uses },
    ...(sessionId === null ? {} : { origin: { sessionId, entryId } }),
    isPinned: row['is_pinned'] === 1,
    createdMs: row['created_ms'],
    updatedMs: row['updated_ms'],
    ...(usedMs === null ? {} : { usedMs }),
    ...(expiresMs === null ? {} : { expiresMs }),
  });
}
