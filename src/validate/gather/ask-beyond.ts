import { OrsClientError, OrsConnectionError, type RemoteEnvironment } from '../../client/index.ts';
import type { SplitEvidence } from '../evidence.ts';
import type { ValidationSettings } from './options.ts';
import { playEpisodeRun } from './play-run.ts';

/** Asks for tasks beyond the last. */
export async function requestOutOfRangeTasks(
  remote: RemoteEnvironment,
  split: string,
  count: number,
  terms: ValidationSettings,
): Promise<SplitEvidence['outOfRange']> {
  const asked = [];
  for (const index of [count, count + 1_000_000]) {
    const isRefused = await isRefusedBy(() => remote.task(split, index, { signal: terms.signal }), terms);
    asked.push({ description: 'the task', index, refused: isRefused });
  }
  const run = await playEpisodeRun(remote, { split, index: count }, { kind: 'idle' }, terms);
  return [...asked, { description: 'an episode of the task', index: count, refused: run.failure !== undefined }];
}

async function isRefusedBy(ask: () => Promise<unknown>, { signal }: ValidationSettings): Promise<boolean> {
  try {
    await ask();
    return false;
  } catch (error) {
    signal.throwIfAborted();
    // RangeError: the client looked for it in the whole list.
    const isRefusal = error instanceof RangeError || error instanceof OrsClientError;
    if (!isRefusal || error instanceof OrsConnectionError) throw error;
    return true;
  }
}
