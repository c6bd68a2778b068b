/** What a tool call does, as far as its name and input tell: of our own tools, and of any other server's. */
export interface ToolAction {
  readonly kind: 'read' | 'edit' | 'command' | 'search' | 'other';
  /** the file it reads or changes */
  readonly path?: string;
  /** of a read: the first and last line asked for; absent for the whole file */
  readonly lines?: LineRange;
  /** in one line: what a person would call it */
  readonly what: string;
}

export interface LineRange {
  readonly first: number;
  readonly last: number;
}

const EDIT = /edit|write|replace|patch|create|insert|delete|update_file/i;
const READ = /read|view|open|cat\b|get_file/i;
const SEARCH = /search|grep|glob|find|list|^ls$/i;

const WHAT_LENGTH = 300;

type Fields = Readonly<Record<string, unknown>>;

export function actionOf(name: string, input: unknown): ToolAction {
  const fields: Fields = typeof input === 'object' && input !== null ? (input as Fields) : {};
  const command = commandOf(fields);
  if (command !== undefined) return { kind: 'command', what: inOneLine(`${name} \`${command}\``) };
  const path = text(fields, [
    'path',
    'file_path',
    'filePath',
    'filename',
    'target_file',
    'file',
    'notebook_path',
  ]);
  if (path !== undefined && EDIT.test(name))
    return { kind: 'edit', path, what: inOneLine(`${name} ${path}`) };
  if (path !== undefined && READ.test(name) && !SEARCH.test(name)) return readOf(name, path, fields);
  const query = text(fields, [
    'pattern',
    'query',
    'glob',
    'glob_pattern',
    'regex',
    'url',
    'name',
    'description',
  ]);
  const target = [query && `\`${query}\``, path].filter(Boolean).join(' in ') || firstText(fields);
  return { kind: SEARCH.test(name) ? 'search' : 'other', what: inOneLine(`${name} ${target}`) };
}

function readOf(name: string, path: string, fields: Fields): ToolAction {
  const lines = linesOf(fields);
  const shown = lines === undefined ? '' : ` ${lines.first}-${Number.isFinite(lines.last) ? lines.last : ''}`;
  return { kind: 'read', path, ...(lines && { lines }), what: inOneLine(`${name} ${path}${shown}`) };
}

function linesOf(fields: Fields): LineRange | undefined {
  const range = Array.isArray(fields['view_range']) ? (fields['view_range'] as unknown[]) : [];
  const first = number(fields, ['start_line', 'offset', 'first_line', 'startLine']) ?? asNumber(range[0]);
  const last = number(fields, ['end_line', 'last_line', 'endLine']) ?? asNumber(range[1]);
  const count = number(fields, ['limit', 'line_count', 'max_lines']);
  if (first === undefined && last === undefined && count === undefined) return undefined;
  const from = first ?? 1;
  return { first: from, last: last ?? (count === undefined ? Number.POSITIVE_INFINITY : from + count - 1) };
}

function commandOf(fields: Fields): string | undefined {
  const command = fields['command'] ?? fields['cmd'];
  if (typeof command === 'string') return command;
  return Array.isArray(command) && command.every((part) => typeof part === 'string')
    ? command.join(' ')
    : undefined;
}

function text(fields: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return undefined;
}

function firstText(fields: Fields): string {
  return Object.values(fields).find((value) => typeof value === 'string') ?? '';
}

function number(fields: Fields, names: readonly string[]): number | undefined {
  return names.map((name) => asNumber(fields[name])).find((value) => value !== undefined);
}

function asNumber(value: unknown): number | undefined {
  const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof parsed === 'number' && Number.isFinite(parsed) ? parsed : undefined;
}

/** Does reading `later` show all that `earlier` showed? */
export function covers(later: ToolAction, earlier: ToolAction): boolean {
  if (later.lines === undefined) return true;
  if (earlier.lines === undefined) return false;
  return later.lines.first <= earlier.lines.first && later.lines.last >= earlier.lines.last;
}

export function inOneLine(value: string, length = WHAT_LENGTH): string {
  const line = value.replaceAll(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length - 1).trimEnd()}…`.toWellFormed();
}
