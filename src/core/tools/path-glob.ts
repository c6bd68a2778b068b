import { RE2JS } from 're2js';
import { ToolError } from '../model/errors.ts';

/**
 * What a glob accepts, by path relative to the folder searched. Read as a line of a .gitignore is: without a slash it
 * speaks of names at any depth, a folder stands for all that is in it, `!` turns it round. Braces work as well.
 * In linear time: libraries turn globs into expressions that backtrack, and one odd file name then takes for ever.
 * @throws ToolError('invalid_input')
 */
export function compileGlob(glob: string): (path: string) => boolean {
  if (glob.startsWith('!')) {
    const isExcluded = compileGlob(glob.slice(1));
    return (path) => !isExcluded(path);
  }
  const bare = glob.replace(/^\.?\//, '').replace(/(?<!\/)\/+$/, '');
  const isAnchored = glob.startsWith('/') || bare.includes('/');
  const expression = compile(`${isAnchored ? '' : ANY_FOLDERS}${toExpression(bare)}(?:/.*)?`, glob);
  return (path) => expression.matches(path);
}

function compile(expression: string, glob: string): RE2JS {
  try {
    return RE2JS.compile(expression, RE2JS.DOTALL);
  } catch (cause) {
    throw new ToolError('invalid_input', `The glob cannot be read: ${glob}`, { cause });
  }
}

const ANY_FOLDERS = '(?:[^/]+/)*';

/** The parts of a glob that mean something: an escape, folders at any depth, wildcards, a class, a choice. */
const PART = /\\([^])|(?<![^/{,])\*\*(\/|$)|\*+|\?|\[([!^]?)(\]?[^\]/]+)\]|[{},]/g;

function toExpression(glob: string): string {
  const parts: string[] = [];
  let depth = 0;
  let done = 0;
  for (const found of glob.matchAll(PART)) {
    const [part] = found;
    parts.push(RE2JS.quote(glob.slice(done, found.index)));
    done = found.index + part.length;
    if (part === '{') depth++;
    parts.push(partExpression(found, depth));
    if (part === '}' && depth > 0) depth--;
  }
  return parts.join('') + RE2JS.quote(glob.slice(done));
}

function partExpression(found: RegExpExecArray, depth: number): string {
  const [part, escaped, folders, negation, members] = found;
  if (escaped !== undefined) return RE2JS.quote(escaped);
  if (folders !== undefined) return folders === '/' ? ANY_FOLDERS : '.*';
  if (members !== undefined) return classOf(negation !== '', members);
  switch (part) {
    case '?':
      return '[^/]';
    case '{':
      return '(?:';
    case ',':
      return depth > 0 ? '|' : part;
    case '}':
      return depth > 0 ? ')' : RE2JS.quote(part);
    default:
      return '[^/]*';
  }
}

/** No class matches the slash. */
function classOf(isNegated: boolean, members: string): string {
  return `[${isNegated ? '^/' : ''}${members.replace(/[\\[\]^]/g, '\\$&')}]`;
}
