import { createRequire } from 'node:module';
import path from 'node:path';
import type { SqlJsStatic } from 'sql.js';
import { loadSql } from '../../src/node/memory/load-sql.ts';

/** SQLite as the product loads it, from where the library has it. */
export function loadTestSql(): Promise<SqlJsStatic> {
  return loadSql(path.dirname(createRequire(import.meta.url).resolve('sql.js')));
}
