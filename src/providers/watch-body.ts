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
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(watched, { headers: response.headers });
}
