/** Work that is not waited for after an abort. @throws the signal's reason; what the work rejects with. */
export async function orAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    if (stop) signal.removeEventListener('abort', stop);
  }
}
