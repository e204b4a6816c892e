/** An answer that is given up when nothing of it comes for a while. */
export interface Listening {
  /** Aborts when it has been silent for too long, with an error as of a connection that broke. */
  readonly signal: AbortSignal;
  /** The same answer, of which every byte breaks the silence. */
  readonly heard: (response: Response) => Response;
  readonly stop: () => void;
}

/** Listens from now on. A server says something every so often; what lies in between may keep a dead connection open. */
export function limitSilence(ms: number): Listening {
  const silence = new AbortController();
  const giveUp = () => silence.abort(new TypeError(`nothing was heard of the server for ${ms / 1_000} s`));
  let timer = setTimeout(giveUp, ms);
  const hear = () => {
    clearTimeout(timer);
    if (!silence.signal.aborted) timer = setTimeout(giveUp, ms);
  };
  return {
    signal: silence.signal,
    heard(response) {
      hear();
      if (!response.body) return response;
      const bytes = response.body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, controller) {
            hear();
            controller.enqueue(chunk);
          },
        }),
      );
      const { status, statusText, headers } = response;
      return new Response(bytes, { status, statusText, headers });
    },
    stop: () => clearTimeout(timer),
  };
}
