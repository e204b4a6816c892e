import { seededRandom, sum } from '../core/index.ts';
import type { JSONObject } from '../protocol/index.ts';
import type { AuditContext, TaskView } from './attack.ts';
import type { TranscriptPlayer } from './play-transcript.ts';
import type { CallStep } from './transcript.ts';

/** Tasks on which the floor is measured. */
const FLOOR_TASKS = 6;
/** Episodes of the random player per task. */
const RANDOM_EPISODES = 3;
/** Sessions that measure the floor, with one call each. */
export const FLOOR_SESSIONS = FLOOR_TASKS * RANDOM_EPISODES;
/** Calls of the long random player. */
const RANDOM_CALLS = 8;

/** Returns random valid calls of random tools: the same for the same seed and task. */
export function randomCalls(
  { tools, inputsOf, seed }: AuditContext,
  { index }: TaskView,
  episode: number,
  count = RANDOM_CALLS,
): readonly CallStep[] {
  const random = seededRandom(seed * 7_919 + index * 31 + episode);
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  return Array.from({ length: count }, () => pick(tools)?.name ?? '').map((tool): CallStep => {
    // The minimal input is one that attacks make.
    const [minimal = {}, ...others] = inputsOf(tool);
    const input: JSONObject = pick(others) ?? minimal;
    return { do: 'call', tool, input };
  });
}

/**
 * Measures the honest floor: the mean reward of players that do nothing, and of players that make one random valid call.
 * Rewards of attacks count only above it.
 */
export async function measureFloor(context: AuditContext, play: TranscriptPlayer): Promise<number> {
  if (context.tools.length === 0) return 0;
  const rewards: number[] = [];
  for (const view of context.views.slice(0, FLOOR_TASKS)) {
    for (let episode = 0; episode < RANDOM_EPISODES; episode++) {
      const { reward } = await play(view, randomCalls(context, view, episode, 1));
      // A single reward is finite.
      rewards.push(reward);
    }
  }
  return Math.max(0, sum(rewards.map((reward) => reward / rewards.length)));
}
