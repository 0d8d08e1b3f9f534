/** As `fetch`, but the body of a response ends with an error after `maxBytes`. */
export function boundedFetch(maxBytes: number) {
  return async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    let bytes = 0;
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) controller.error(new RangeError(tooLong));
        else controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counting), { status, statusText, headers });
  };
}

/** In the words of the SDK's own bound for commands. */
const tooLong = 'the body exceeded maximum size';
