/**
 * The commands of a line, so that a line is free when each of its commands is. Only where that is plain: a line with
 * anything that makes one command depend on another, or on something that cannot be seen here (substitution, variables,
 * pipes, redirection, grouping, comments, escapes, changes of the shell's own state), is one thing, and only the very
 * same line equals it: `echo` and `sh` may each be harmless, `echo … | sh` is whatever the text says.
 *
 * Written by hand because lexers of shell lines give back words, and consent is to the exact text.
 */
export function commandParts(line: string): readonly string[] {
  const whole = [line.trim()];
  const parts = splitPlain(line);
  if (parts === undefined || parts.length < 2) return whole;
  return parts.some((part) => part === '' || CHANGES_THE_SHELL.test(part)) ? whole : parts;
}

/** Outside quotes these mean more than text; inside double quotes the first three still do. */
const OPAQUE_ANYWHERE: ReadonlySet<string> = new Set(['$', '`', '\\', '%', '^', '!']);
const OPAQUE_OUTSIDE: ReadonlySet<string> = new Set(['|', '<', '>', '(', ')', '{', '}', '#']);
const SEPARATOR = /^(?:&&|\|\||[;&\n])/;

/** What a later command would feel: another folder, variable, function or option; and words that open a construct. */
const CHANGES_THE_SHELL =
  /^(?:[A-Za-z_]\w*\+?=|(?:cd|pushd|popd|chdir|export|declare|typeset|local|readonly|unset|set|setx|shopt|setopt|alias|unalias|source|\.|eval|exec|trap|umask|ulimit|hash|enable|builtin|command|function|if|then|else|elif|fi|for|while|until|do|done|case|esac|select|time|coproc|path|prompt|subst)(?=\s|$))/i;

/** undefined where the line is not plain */
function splitPlain(line: string): readonly string[] | undefined {
  const parts: string[] = [];
  let part = '';
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at);
    const separator = quote === '' ? SEPARATOR.exec(line.slice(at, at + 2))?.[0] : undefined;
    if (separator !== undefined) {
      parts.push(part.trim());
      part = '';
      at += separator.length - 1;
      continue;
    }
    if (isOpaque(char, quote)) return undefined;
    quote = quoteAfter(char, quote);
    part += char;
  }
  if (quote !== '') return undefined;
  // A last `;`, `&` or newline ends the line; it does not begin another command.
  if (part.trim() !== '') parts.push(part.trim());
  return parts;
}

function isOpaque(char: string, quote: string): boolean {
  if (quote === "'") return false;
  return OPAQUE_ANYWHERE.has(char) || (quote === '' && OPAQUE_OUTSIDE.has(char)) || isControl(char);
}

function isControl(char: string): boolean {
  return char < ' ' && char !== '\t' && char !== '\n';
}

function quoteAfter(char: string, quote: string): string {
  if (char !== '"' && char !== "'") return quote;
  if (quote === '') return char;
  return quote === char ? '' : quote;
}
