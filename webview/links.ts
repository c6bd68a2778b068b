export type LinkTarget =
  | { readonly kind: 'external'; readonly url: string }
  | { readonly kind: 'file'; readonly path: string; readonly line?: number };

const SCHEME = /^[a-z][a-z0-9+.-]+:/i;
/** `main.go:10`, `main.go:10:2`: a place in a file, not a scheme. */
const FILE_WITH_LINE = /^(.+?):(\d+)(?::\d+)?$/;
const ANCHOR_LINE = /^(.*)#L(\d+)(?:-L?\d+)?$/;

/**
 * Where a link that a model wrote may lead: a web page, a mail address, or a file for the editor to judge.
 * Everything else (commands, scripts, data, other machines' shares, places in the page) is no link.
 */
export function linkTarget(href: string): LinkTarget | undefined {
  const link = href.trim();
  if (link === '' || link.startsWith('#') || hasControlCharacter(link)) return undefined;
  if (/^(https?:\/\/|mailto:)/i.test(link)) return externalTarget(link);
  if (/^file:\/\/\//i.test(link)) return fileTarget(decoded(new URL(link).pathname));
  const isWindowsPath = /^[a-z]:[\\/]/i.test(link);
  const isPlaceInFile = /^[^:/\\]*\.[^.:/\\]*:\d+(:\d+)?$/.test(link);
  if (SCHEME.test(link) && !isWindowsPath && !isPlaceInFile) return undefined;
  return fileTarget(decoded(link));
}

function externalTarget(link: string): LinkTarget | undefined {
  return URL.canParse(link) ? { kind: 'external', url: new URL(link).href } : undefined;
}

function fileTarget(place: string): LinkTarget | undefined {
  const [, path = place, line] = ANCHOR_LINE.exec(place) ?? FILE_WITH_LINE.exec(place) ?? [];
  // A share is another machine: to open one hands it the person's credentials.
  if (path === '' || /^[\\/]{2}/.test(path) || hasControlCharacter(path)) return undefined;
  return { kind: 'file', path, ...(line !== undefined && { line: Number(line) }) };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function hasControlCharacter(text: string): boolean {
  return /[\p{Cc}]/u.test(text);
}
