import type { Tool } from './define-tool.ts';
import { editFile } from './edit-file.ts';
import { listFiles } from './list-files.ts';
import { memoryForget } from './memory/memory-forget.ts';
import { memorySearch } from './memory/memory-search.ts';
import { memoryWrite } from './memory/memory-write.ts';
import { readFile } from './read-file.ts';
import { recall } from './recall/recall.ts';
import { runCommand } from './run-command.ts';
import { search } from './search.ts';
import { writeFile } from './write-file.ts';

/** The tools that every session has. */
export const standardTools: readonly Tool[] = [
  editFile,
  listFiles,
  memoryForget,
  memorySearch,
  memoryWrite,
  readFile,
  recall,
  runCommand,
  search,
  writeFile,
];
