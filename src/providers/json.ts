/** Careful reading of what another program wrote. */
export type Json = Readonly<Record<string, unknown>>;

const NOTHING: Json = {};

/** The value where it is an object, else an empty one. */
export function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : NOTHING;
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A finite number, else undefined. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** undefined where the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
