import { abortable, onAbort } from '../../core/index.ts';

/**
 * Runs checks. An interrupt before the first check rejects with the reason; a later one ends the run early, with a report.
 *
 * @param hasBegun returns true as soon as the first check runs.
 * @throws signal.reason; what the run rejects with.
 */
export async function untilBegun<T>(signal: AbortSignal, hasBegun: () => boolean, run: () => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  const stopListening = onAbort(signal, (reason) => {
    if (!hasBegun()) interruption.abort(reason);
  });
  try {
    return await abortable(interruption.signal, run);
  } finally {
    stopListening();
  }
}
