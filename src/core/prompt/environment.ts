import type { WorkspaceRoot } from '../ports/files.ts';

export interface Environment {
  readonly now: Date;
  /** `linux`, `darwin`, `win32` */
  readonly os: string;
  readonly shell: string;
  readonly roots: readonly WorkspaceRoot[];
}

/** Where the agent is, and the date by day: a time of day would change the prompt at every request. */
export function environmentText({ now, os, shell, roots }: Environment): string {
  return [
    '# Surroundings',
    `- Today's date: ${localDay(now)}`,
    `- Operating system: ${os}; shell: ${shell}`,
    ...folders(roots),
  ].join('\n');
}

function folders(roots: readonly WorkspaceRoot[]): string[] {
  const [only, ...more] = roots;
  if (only === undefined) return ['- No folder is open: there is nothing to read or change.'];
  if (more.length === 0) return [`- Workspace folder: ${only.location}`];
  return [
    '- Workspace folders, by the name that begins their paths:',
    ...roots.map(({ name, location }) => `  - ${name}: ${location}`),
  ];
}

/** The day as the user's calendar shows it, `2026-03-01`. */
function localDay(date: Date): string {
  const twoDigits = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}
