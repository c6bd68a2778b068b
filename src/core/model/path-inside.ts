/**
 * The path from `folder` to `location`: empty for the folder itself, undefined for what is not inside. Both are real
 * locations with forward slashes; only whole names are compared: `/ws-evil` is not inside `/ws`.
 */
export function pathInside(folder: string, location: string): string | undefined {
  if (location === folder) return '';
  const prefix = folder.endsWith('/') ? folder : `${folder}/`;
  return location.startsWith(prefix) ? location.slice(prefix.length) : undefined;
}
