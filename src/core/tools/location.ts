import type { FileLocation } from '../ports/files.ts';

/** Where absolute paths begin: `/`, `C:/`, `//server/share/`, `scheme://authority/`. */
const ANCHOR = /^(?:[a-z][a-z0-9+.-]+:\/\/[^/]*\/?|[a-z]:\/|\/\/[^/]+\/[^/]+\/?|\/)/i;

/** The anchor of an absolute location, with its trailing slash; undefined for a relative path. */
export function anchorOf(location: string): string | undefined {
  const anchor = ANCHOR.exec(location)?.[0];
  if (anchor === undefined || anchor.endsWith('/')) return anchor;
  return `${anchor}/`;
}

/** Locations whose separators and names follow Windows' rules. */
export function isWindowsLocation(location: FileLocation): boolean {
  return /^(?:[a-z]:\/|\/\/)/i.test(location);
}

/** `base` with a relative path walked from it, by name only: `..` stops at the anchor. */
export function joinLocation(base: FileLocation, relative: string): FileLocation {
  const anchor = anchorOf(base) ?? '/';
  const segments: string[] = [];
  for (const segment of `${base.slice(anchor.length)}/${relative}`.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return anchor + segments.join('/');
}

/** The folder that holds it; undefined for a root. */
export function parentOf(location: FileLocation): FileLocation | undefined {
  const anchor = anchorOf(location) ?? '/';
  const rest = location.slice(anchor.length);
  if (rest === '') return undefined;
  const slash = rest.lastIndexOf('/');
  return slash === -1 ? anchor : anchor + rest.slice(0, slash);
}
