/** The input fields that say what a tool call is about, best first. */
const TARGET_FIELDS = ['path', 'command', 'pattern', 'query', 'name'] as const;

/** What a tool call is about, in a few words, from an input that nobody has validated: the card's second half. */
export function toolTarget(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  const fields = input as Readonly<Record<string, unknown>>;
  for (const name of TARGET_FIELDS) {
    const value = fields[name];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return '';
}
