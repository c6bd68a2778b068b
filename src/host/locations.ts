import * as vscode from 'vscode';
import type { FileLocation } from '../core/ports/files.ts';
import { toLocation } from '../node/disk-path.ts';

/**
 * A workspace that is not on disk: `scheme://place/path`. The path is the URI's own, not encoded, so that a name in it
 * (`a#b`, `%2e`) stands for itself; what tells one place from another (authority, query, fragment) is one segment
 * before it. A scheme has two letters at least: `C:/…` is a path.
 */
const URI = /^([a-z][a-z0-9+.-]+):\/\/([^/?#]*)(?:\?([^/#]*))?(?:#([^/]*))?(\/.*)?$/is;

/** Also what a file system that decodes once more would take for the folder above. */
const DOTS = /^(?:\.|%2e){1,2}$/i;

export function locationOf(uri: vscode.Uri): FileLocation {
  if (uri.scheme === 'file') return toLocation(uri.fsPath);
  const { scheme, authority, query, fragment, path } = uri;
  const place =
    asSegment(authority) + (query && `?${asSegment(query)}`) + (fragment && `#${asSegment(fragment)}`);
  return `${scheme}://${place}${path.replace(/\/$/, '')}`;
}

/** @throws RangeError for a path that does not stay below where it begins */
export function uriOf(location: FileLocation): vscode.Uri {
  const parts = URI.exec(location);
  if (parts === null) return vscode.Uri.file(location);
  const [, scheme = '', authority = '', query = '', fragment = '', path = '/'] = parts;
  if (path.split('/').some((segment) => DOTS.test(segment)))
    throw new RangeError(`"." and ".." are no names of files: ${location}`);
  return vscode.Uri.from({
    scheme,
    authority: decodeURIComponent(authority),
    query: decodeURIComponent(query),
    fragment: decodeURIComponent(fragment),
    path,
  });
}

export function isOnDisk(location: FileLocation): boolean {
  return !URI.test(location);
}

function asSegment(text: string): string {
  return text.replace(/[%/?#]/g, encodeURIComponent);
}
