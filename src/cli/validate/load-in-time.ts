import { oneLine } from '../../core/index.ts';
import { describeThrown } from '../../hosting/index.ts';
import { Failure } from '../failure.ts';

/**
 * What loading a module gives. A module may wait for what never comes, or throw where nobody catches it.
 *
 * @throws Failure where it has not loaded after this time, or threw; what loading throws; the signal's reason.
 */
export async function loadInTime<T>(
  module: string,
  seconds: number,
  signal: AbortSignal,
  load: () => Promise<T>,
): Promise<T> {
  let refuse: (reason: unknown) => void = () => {};
  const refused = new Promise<never>((_resolve, reject) => {
    refuse = reject;
  });
  const fail = (what: string) => refuse(new Failure(`${oneLine(module)} ${what}`));
  const timer = setTimeout(
    () => fail(`has not loaded after ${seconds} s; look for what it waits for outside of its functions`),
    seconds * 1000,
  );
  const onThrown = (thrown: unknown) =>
    fail(`threw where nothing catches it, as it loaded: ${describeThrown(thrown, 'message')}`);
  const onAbort = () => refuse(signal.reason);
  process.on('uncaughtException', onThrown);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([load(), refused]);
  } finally {
    clearTimeout(timer);
    process.off('uncaughtException', onThrown);
    signal.removeEventListener('abort', onAbort);
  }
}
