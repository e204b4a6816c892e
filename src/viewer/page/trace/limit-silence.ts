import { joinSignals, onAbort, startWatchdog } from '../../../core/index.ts';
/** An answer that is given up when nothing of it comes for a while. */
export interface ResponseTimeout {
  /** Aborts with the other signal, and after too long a silence, with an error as of a connection that broke. */
  readonly signal: AbortSignal;
  /** The same answer, of which every byte breaks the silence. */
  readonly watch: (response: Response) => Response;
  /** Stops listening; an abort does so too. */
  readonly stop: () => void;
}

/** Listens from now on. A server says something every so often; what lies in between may keep a dead connection open. */
export function createResponseTimeout(ms: number, signal: AbortSignal): ResponseTimeout {
  const joined = joinSignals(signal);
  const watchdog = startWatchdog(ms, (): undefined => {
    joined.abort(new TypeError(`nothing was heard of the server for ${ms / 1_000} s`));
  });
  const stop = () => {
    watchdog.stop();
    joined.release();
  };
  onAbort(joined.signal, stop);
  return {
    signal: joined.signal,
    watch(response) {
      watchdog.heard();
      if (!response.body) return response;
      const bytes = response.body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, controller) {
            watchdog.heard();
            controller.enqueue(chunk);
          },
        }),
      );
      const { status, statusText, headers } = response;
      return new Response(bytes, { status, statusText, headers });
    },
    stop,
  };
}
