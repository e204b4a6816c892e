import { abortable, deadlineSignal, oneLine } from '../../core/index.ts';
import { describeThrown } from '../../hosting/index.ts';
import { CliError } from '../failure.ts';

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
  const failure = (what: string) => new CliError(`${oneLine(module)} ${what}`);
  const tooLate = () =>
    failure(`has not loaded after ${seconds} s; look for what it waits for outside of its functions`);
  const deadline = deadlineSignal(seconds * 1_000, tooLate, signal);
  const onThrown = (thrown: unknown) =>
    deadline.abort(failure(`threw where nothing catches it, as it loaded: ${describeThrown(thrown, 'message')}`));
  process.on('uncaughtException', onThrown);
  try {
    return await abortable(deadline.signal, load);
  } finally {
    deadline.release();
    process.off('uncaughtException', onThrown);
  }
}
