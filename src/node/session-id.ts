/** An id that is a plain file name and nothing else: ids come from outside too. */
const SESSION_ID = /^[a-z0-9][a-z0-9-]{0,127}$/;

export function isSessionId(text: string): boolean {
  return SESSION_ID.test(text);
}

/** @throws RangeError for what would lead elsewhere as a part of a path */
export function expectSessionId(text: string): string {
  if (!isSessionId(text)) throw new RangeError(`not a session id: ${JSON.stringify(text)}`);
  return text;
}
