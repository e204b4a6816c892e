import { until } from '../support/until.ts';
import type { ThreadWeight } from './environment.ts';
import { loadOn, textOf } from './load.ts';
import type { MeasuredServer } from './measured-server.ts';
import { THREADS, type Weight } from './messages.ts';

/** Memory and handles of a server without episodes and connections. */
export interface Rest extends Weight {
  /** Bytes in use: the heaps of all threads and the external memory of the main thread. */
  readonly held: number;
  /** Episodes that are set up and not torn down, in all threads. */
  readonly episodes: number;
}

/** Waits until the last connection is closed, then weighs all threads. */
export async function atRest(server: MeasuredServer): Promise<Rest> {
  const threads = await weighThreads(server.url);
  await until(async () => !(await server.weigh()).handles.includes('TCPSocketWrap'));
  const weight = await server.weigh();
  const workers = threads.filter(({ threadId }) => threadId !== 0);
  return {
    ...weight,
    held: weight.heap + weight.external + sum(workers.map(({ heap }) => heap)),
    // The measuring sessions have episodes too.
    episodes: sum(threads.map(({ episodes }) => episodes)) - THREADS,
  };
}

/** Measures each thread once. The server puts each new session into the thread with the fewest. */
async function weighThreads(url: string): Promise<ThreadWeight[]> {
  await using load = await loadOn(url);
  const sids: string[] = [];
  for (let index = 0; index < THREADS; index++) sids.push(await load.open(index));
  const weights = new Map<number, ThreadWeight>();
  for (const sid of sids) {
    const weight: ThreadWeight = JSON.parse(textOf(await load.call(sid, 'weigh')));
    weights.set(weight.threadId, weight);
  }
  for (const sid of sids) await load.close(sid);
  const isInline = weights.has(0);
  if (!isInline && weights.size < THREADS) throw new Error(`only ${weights.size} of ${THREADS} workers were weighed`);
  return [...weights.values()];
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
