import type { RequestBody, RequestName, Response } from '../../src/protocol/channel.ts';

/**
 * Asks the host.
 * @throws Error with the host's words when it refuses
 */
export type AskHost = <Name extends RequestName>(
  name: Name,
  body: RequestBody<Name>,
) => Promise<Response<Name>>;

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
