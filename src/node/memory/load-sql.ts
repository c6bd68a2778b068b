import { promises as fs } from 'node:fs';
import { createRequire } from 'node:module';
import type { InitSqlJsStatic, SqlJsStatic } from 'sql.js';

/**
 * SQLite, from files of their own beside the program: it is large, and read when a memory is first opened.
 * @param files `script` is sql.js's `sql-wasm.js`, `wasm` its `sql-wasm.wasm`; absolute paths
 */
export async function loadSql(files: {
  readonly script: string;
  readonly wasm: string;
}): Promise<SqlJsStatic> {
  const wasm = await fs.readFile(files.wasm);
  const init = createRequire(files.script)(files.script) as InitSqlJsStatic;
  // Given as bytes, so that nothing is looked for by paths of the library's own.
  return init({ wasmBinary: new Uint8Array(wasm).buffer });
}
