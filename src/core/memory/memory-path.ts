/** Read by agents or people as what it is called, whatever case its name has on this disk. */
const INSTRUCTIONS =
  /^(?:agents|claude|gemini|skill|readme|copilot-instructions|.*\.instructions)(?:\.[^.]+)?\.(?:md|markdown)$/i;

/**
 * Why a file of the folder cannot hold the memory, which is written into it and taken out of it: what follows its name.
 * Undefined: it can.
 * @param path below the folder, forward slashes
 */
export function objectionToPlace(path: string): string | undefined {
  const parts = path.split('/');
  if (parts.some((part) => part.toLowerCase() === '.git')) return 'is version control’s own';
  return INSTRUCTIONS.test(parts.at(-1) ?? '') ? 'is read as instructions or as a description' : undefined;
}
