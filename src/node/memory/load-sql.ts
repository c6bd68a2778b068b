import { promises as fs } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { InitSqlJsStatic, SqlJsStatic } from 'sql.js';

/**
 * SQLite, from files of their own beside the program: it is large, and read when a memory is first opened.
 * @param folder where `sql-wasm.js` and `sql-wasm.wasm` are; absolute
 */
export async function loadSql(folder: string): Promise<SqlJsStatic> {
  const script = path.join(folder, 'sql-wasm.js');
  const wasm = await fs.readFile(path.join(folder, 'sql-wasm.wasm'));
  const init = createRequire(script)(script) as InitSqlJsStatic;
  // Given as bytes, so that nothing is looked for by paths of the library's own.
  return init({ wasmBinary: new Uint8Array(wasm).buffer });
}
