/** An answer that is about to end is read to its end, so that its connection can serve the next request. */
const LINGER_MS = 500;

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * The same response, with `onIdle` called when a read got no byte for `timeoutMs`: any byte counts, so a server that
 * only sends pings is alive, and a reader that takes its time is not held against the server.
 */
export function watchBody(response: Response, timeoutMs: number, onIdle: () => void): Response {
  if (response.body === null) return response;
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const watched = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const timer = setTimeout(onIdle, timeoutMs);
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } finally {
        clearTimeout(timer);
      }
    },
    async cancel(reason) {
      const timer = setTimeout(() => void cancelQuietly(reader, reason), LINGER_MS);
      await drain(reader);
      clearTimeout(timer);
    },
  });
  return new Response(watched, { headers: response.headers });
}

/** Nobody wants the rest, so nobody needs to hear how it ended. */
async function drain(reader: Reader): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    return;
  }
}

async function cancelQuietly(reader: Reader, reason: unknown): Promise<void> {
  try {
    await reader.cancel(reason);
  } catch {
    return;
  }
}
