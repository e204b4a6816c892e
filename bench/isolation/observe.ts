import { expectStatus, repeatedCallCheck } from '../load/answers.ts';
import { httpRequest } from '../load/connection.ts';
import { callRequest } from '../load/episode.ts';
import { waitedMicroseconds } from '../process/proc.ts';
import type { ServerProcess } from '../process/server-process.ts';
import { holdCall } from './held-call.ts';
import { paced } from './paced.ts';

/** What a server made others wait for, in milliseconds. */
export interface Waits {
  /** Each answer of /health. */
  health: Float64Array;
  /** Each call of a session. */
  calls: Float64Array;
  /** The longest time in which a stream of that session said nothing. */
  silence: number;
  /** How long the server's thread waited for a core meanwhile, each second. */
  waitedForCore: number;
}

/** Asks for /health and calls in a session for some seconds, while a stream of the session is open and `work` goes on. */
export async function observe(
  { port, child }: ServerProcess,
  sid: string,
  seconds: number,
  work: () => Promise<void>,
): Promise<Waits> {
  const waitedBefore = waitedMicroseconds(child.pid ?? 0);
  const stream = holdCall(port, sid, 'wait', seconds + 0.2);
  await Promise.race([stream.begun, stream.longestSilence]);
  const call = callRequest(sid, 'submit', { answer: '4' });
  const [health, calls, silence] = await Promise.all([
    paced(port, seconds, httpRequest('GET', '/health'), (reply) => expectStatus(reply, 'health')),
    paced(port, seconds, call, repeatedCallCheck('Correct!', 1)),
    stream.longestSilence,
    work(),
  ]);
  const waitedForCore = (waitedMicroseconds(child.pid ?? 0) - waitedBefore) / 1000 / seconds;
  return { health, calls, silence, waitedForCore };
}
