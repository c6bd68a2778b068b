import { ToolError } from '../model/errors.ts';
import type { FileLocation, FilePort, WorkspacePort, WorkspaceRoot } from '../ports/files.ts';
import { pathInside } from '../model/path-inside.ts';
import type { ResolvedFile } from './define-tool.ts';
import { anchorOf, isWindowsLocation, joinLocation } from './location.ts';

/** What resolving a path asks of the world. */
export interface PathContext {
  readonly files: FilePort;
  readonly workspace: WorkspacePort;
}

/**
 * What a path that the model wrote really means: relative to the one root it can belong to, or `<rootName>/…`, or
 * absolute. Judged by real path: links are followed before anybody asks whether it is inside the workspace. A path
 * outside is resolved too (without a root): the approval rules decide about it.
 * @throws ToolError for a path that is malformed, belongs to no root, or could belong to several
 */
export async function resolvePath(path: string, context: PathContext): Promise<ResolvedFile> {
  const roots = context.workspace.roots();
  const written = await locate(cleanPath(path, roots), roots, context.files);
  return describe(written, context);
}

/** Every root, for a call that names no path. @throws ToolError when no folder is open */
export async function resolveRoots(context: PathContext): Promise<readonly ResolvedFile[]> {
  const roots = context.workspace.roots();
  if (roots.length === 0) throw noFolder();
  return Promise.all(roots.map((root) => describe(root.location, context)));
}

/** The only root, for a call that needs one folder and names none. @throws ToolError */
export async function resolveOnlyRoot(context: PathContext, field: string): Promise<ResolvedFile> {
  const [first, ...others] = await resolveRoots(context);
  if (first !== undefined && others.length === 0) return first;
  throw new ToolError(
    'ambiguous',
    `Several folders are open, so ${field} must say which one: ${rootNames(context.workspace.roots())}.`,
  );
}

/** A link may have been put in the way since the access was decided. @throws ToolError */
export async function expectUnmoved(file: ResolvedFile, { files }: PathContext): Promise<void> {
  if ((await realPath(file.location, files)) === file.location) return;
  throw new ToolError('outside_workspace', `${file.label} leads somewhere else by now. Call the tool again.`);
}

async function describe(written: FileLocation, context: PathContext): Promise<ResolvedFile> {
  const { files, workspace } = context;
  const roots = workspace.roots();
  const location = await realPath(written, files);
  for (const root of roots) {
    const inside = pathInside(await files.realPath(root.location), location);
    if (inside === undefined) continue;
    const own = inside === '' ? '.' : inside;
    const label = roots.length === 1 ? own : joinLabel(root.name, inside);
    return { location, label, root, inside };
  }
  return { location, label: location };
}

function joinLabel(root: string, inside: string): string {
  return inside === '' ? root : `${root}/${inside}`;
}

async function realPath(written: FileLocation, files: FilePort): Promise<FileLocation> {
  try {
    return await files.realPath(written);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError('not_found', `The path ${written} cannot be followed: ${why}`, { cause });
  }
}

/** Where a cleaned path points by name, links not yet followed. */
async function locate(path: string, roots: readonly WorkspaceRoot[], files: FilePort): Promise<FileLocation> {
  const anchor = anchorOf(path);
  if (anchor !== undefined) return joinLocation(anchor, path.slice(anchor.length));
  const [first, ...others] = roots;
  if (first === undefined) throw noFolder();
  if (others.length === 0) return joinLocation(first.location, path);
  return locateAmongRoots(path, roots, files);
}

async function locateAmongRoots(
  path: string,
  roots: readonly WorkspaceRoot[],
  files: FilePort,
): Promise<FileLocation> {
  const [name, ...rest] = path.split('/');
  const named = roots
    .filter((root) => root.name === name)
    .map((root) => joinLocation(root.location, rest.join('/')));
  const candidates = new Set(named);
  for (const root of roots) {
    const location = joinLocation(root.location, path);
    if ((await files.stat(location)) !== undefined) candidates.add(location);
  }
  const [only, ...others] = candidates;
  if (only !== undefined && others.length === 0) return only;
  if (only === undefined)
    throw new ToolError(
      'ambiguous',
      `Several folders are open and "${path}" is in none of them. Begin the path with the folder's name ` +
        `(${rootNames(roots)}) or give an absolute path.`,
    );
  throw new ToolError(
    'ambiguous',
    `"${path}" could mean several files: ${[...candidates].join(', ')}. Say which one by its absolute path.`,
  );
}

/** Linux takes no longer path, and the other systems hardly any. */
const MAX_PATH_CHARS = 4_096;

/** Refuses what no file is called, and turns the platform's separators into `/`. */
function cleanPath(path: string, roots: readonly WorkspaceRoot[]): string {
  if (path.length > MAX_PATH_CHARS)
    throw new ToolError(
      'invalid_input',
      `The path has ${path.length} characters; no file has so long a one.`,
    );
  if (/[\u0000-\u001f\u007f]/.test(path)) throw badPath(path, 'it contains a control character');
  if (path.trim() === '') throw badPath(path, 'it is empty');
  if (!path.isWellFormed()) throw badPath(path, 'it is not well-formed Unicode');
  if (/^~(?:[/\\]|$)/.test(path)) throw badPath(path, '"~" is not expanded; give the absolute path');
  return usesWindowsRules(path, roots) ? cleanWindowsPath(path, roots) : cleanPlainPath(path, roots);
}

function usesWindowsRules(path: string, roots: readonly WorkspaceRoot[]): boolean {
  const [first] = roots;
  return first === undefined ? /^(?:[a-z]:|\\\\)/i.test(path) : isWindowsLocation(first.location);
}

function cleanPlainPath(path: string, roots: readonly WorkspaceRoot[]): string {
  if (/^(?:[a-z]:|\\\\)/i.test(path)) throw badPath(path, 'drive letters and shares do not exist here');
  const anchor = anchorOf(path);
  if (anchor === undefined) return path;
  const isUri = anchor.includes('://');
  if (isUri && !roots.some((root) => anchorOf(root.location) === anchor))
    throw badPath(path, 'it is a URI of another place than the workspace; give a path');
  return isUri ? path : `/${path.replace(/^\/+/, '')}`;
}

const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

function cleanWindowsPath(path: string, roots: readonly WorkspaceRoot[]): string {
  const forward = path.replaceAll('\\', '/');
  if (/^\/\/[?.]\//.test(forward)) throw badPath(path, 'it is a device path');
  const isDrive = /^[a-z]:/i.test(forward);
  if (isDrive && forward[2] !== '/') throw badPath(path, 'after the drive letter a path begins with "/"');
  const segments = (isDrive ? forward.slice(2) : forward).split('/');
  // `file.txt:name` is a hidden stream of the file, and `name.` or `name ` another spelling of `name`.
  if (segments.some((segment) => segment.includes(':'))) throw badPath(path, '":" is not allowed in names');
  if (segments.some((segment) => /[. ]$/.test(segment) && segment !== '.' && segment !== '..'))
    throw badPath(path, 'a name may not end with a dot or a space');
  if (segments.some((segment) => WINDOWS_DEVICE.test(segment))) throw badPath(path, 'it names a device');
  // Merely looking at a share sends the person's credentials to it.
  if (forward.startsWith('//') && !roots.some((root) => anchorOf(root.location) === anchorOf(forward)))
    throw badPath(path, 'it is on a network share that is not part of the workspace');
  if (/^\/(?!\/)/.test(forward)) throw badPath(path, 'an absolute path begins with its drive letter');
  return forward;
}

function badPath(path: string, why: string): ToolError {
  return new ToolError('invalid_input', `The path ${JSON.stringify(path)} cannot be used: ${why}.`);
}

function noFolder(): ToolError {
  return new ToolError(
    'unavailable',
    'No folder is open, so there is nothing a relative path could be relative to. Ask the user to open a folder.',
  );
}

function rootNames(roots: readonly WorkspaceRoot[]): string {
  return roots.map((root) => root.name).join(', ');
}
