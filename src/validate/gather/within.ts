/** What a promise gives, or `late` if it does not within the time or before the signal; then what comes of it is nobody's. */
export async function within<T>(ms: number, work: Promise<T>, signal?: AbortSignal): Promise<T | 'late'> {
  let giveUp: () => void = () => undefined;
  const late = new Promise<'late'>((resolve) => {
    giveUp = () => resolve('late');
  });
  const timer = setTimeout(giveUp, ms);
  signal?.addEventListener('abort', giveUp, { once: true });
  if (signal?.aborted) giveUp();
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}
