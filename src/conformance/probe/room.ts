import { parseRetryAfter } from '../../core/index.ts';
import { Untestable } from '../verdict.ts';
import type { Answer } from './answer.ts';

const MOST_TRIES = 6;
const DEFAULT_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 5_000;

/**
 * Sends a `/create` as often as the server says that it has no room, and to come again: other checks have sessions too,
 * and delete them soon. Untestable if there is none after half a minute at most.
 */
export async function withRoom(send: () => Promise<Answer>, pause: (ms: number) => Promise<unknown>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await send();
    if (answer.status !== 503 && answer.status !== 429) return answer;
    if (tries === MOST_TRIES) {
      throw new Untestable(`the server has no room for another session: ${answer.summary}; try --concurrency 1`);
    }
    await pause(Math.min(parseRetryAfter(answer.header('retry-after')) ?? DEFAULT_WAIT_MS, LONGEST_WAIT_MS));
  }
}
