import { parseRetryAfter } from '../../core/index.ts';
import { UntestableError } from '../verdict.ts';
import type { ProbeResponse } from './answer.ts';

const MAX_ATTEMPTS = 6;
const DEFAULT_WAIT_MS = 1_000;
const MAX_WAIT_MS = 5_000;

/**
 * Sends a `/create` as often as the server says that it has no room, and to come again: other checks have sessions too,
 * and delete them soon. Untestable if there is none after half a minute at most.
 */
export async function retryWhileFull(
  send: () => Promise<ProbeResponse>,
  pause: (ms: number) => Promise<unknown>,
): Promise<ProbeResponse> {
  for (let tries = 1; ; tries++) {
    const response = await send();
    if (response.status !== 503 && response.status !== 429) return response;
    if (tries === MAX_ATTEMPTS) {
      throw new UntestableError(`the server has no room for another session: ${response.summary}; try --concurrency 1`);
    }
    await pause(Math.min(parseRetryAfter(response.header('retry-after')) ?? DEFAULT_WAIT_MS, MAX_WAIT_MS));
  }
}
