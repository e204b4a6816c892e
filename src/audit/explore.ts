import { findValue, type TranscriptPlayer } from './play-transcript.ts';
import type { TranscriptRun } from './transcript.ts';

const NOTHING: TranscriptRun = { reward: 0, rewardAfterEnd: 0, calls: [], earlierTexts: [] };

/**
 * Creates a player for the exploration of one attack. Many transcripts differ only in how their last step reads a value
 * from earlier outputs: if the outputs of the same earlier steps do not contain it, no session is opened.
 */
export function createExplorer(play: TranscriptPlayer): TranscriptPlayer {
  const outputs = new Map<string, readonly string[]>();
  return async (position, steps) => {
    const last = steps.at(-1);
    if (last?.do !== 'call' || !last.read) return play(position, steps);
    const key = JSON.stringify([position.index, steps.slice(0, -1)]);
    const known = outputs.get(key);
    if (known && findValue(known, last.read) === undefined) return NOTHING;
    const run = await play(position, steps);
    outputs.set(key, run.earlierTexts);
    return run;
  };
}
