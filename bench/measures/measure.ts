import { awake } from '../load/awake.ts';
import { collectGarbage } from '../load/collect-garbage.ts';
import type { Contestant } from '../process/contestants.ts';
import { killServers, type ServerProcess, startServer } from '../process/server-process.ts';

export interface Metric {
  measure: string;
  /** What is counted, with its unit. */
  name: string;
  better: 'more' | 'less' | 'neither';
}

/** What a measure works with, and where it puts what it found. */
export interface Bench {
  contestants: readonly Contestant[];
  /** Short rounds and smaller numbers: the shape of the result in some minutes. */
  quick: boolean;
  /** Called at the start of each step. */
  progress(step: string): void;
  record(metric: Metric, contestant: string, value: number): void;
  /** Wrong answers, broken connections and the like. */
  fault(measure: string, contestant: string, error: unknown): void;
  /** A remark under the table; the same one is kept once. */
  note(text: string): void;
}

export interface Measure {
  name: string;
  /** One line for `--help`. */
  about: string;
  /** Whether it runs only if it is asked for. */
  isExtra?: boolean;
  run(bench: Bench): Promise<void>;
}

export interface Plan<Runner> {
  runners: readonly Runner[];
  rounds: number;
  /** Whether a round 0 precedes the others. */
  warmUp: boolean;
  /** A round that takes longer has failed. */
  limitSeconds: number;
}

/**
 * Runs a piece of work for each contestant in turn, round after round, each round beginning with another one. Many
 * short rounds are better than few long ones: a shared machine changes its speed from second to second.
 * A contestant that fails is reported, its servers end, and it is left out of the rounds that follow.
 */
export async function inRounds<Runner extends { name: string }>(
  bench: Bench,
  measure: string,
  plan: Plan<Runner>,
  work: (runner: Runner, round: number) => Promise<void>,
): Promise<void> {
  const failed = new Set<Runner>();
  for (let round = plan.warmUp ? 0 : 1; round <= plan.rounds; round += 1) {
    for (const runner of rotated(plan.runners, round)) {
      if (failed.has(runner)) continue;
      bench.progress(`${measure}, ${round === 0 ? 'warm-up' : `round ${round} of ${plan.rounds}`}, ${runner.name}`);
      try {
        await within(plan.limitSeconds, work(runner, round));
      } catch (error) {
        bench.fault(measure, runner.name, error);
        failed.add(runner);
        killServers(runner.name);
      }
    }
  }
}

/** Starts a server of each contestant, works with those that started, and ends them whatever happens. */
export async function withServers(
  bench: Bench,
  measure: string,
  work: (servers: readonly ServerProcess[]) => Promise<void>,
): Promise<void> {
  const servers: ServerProcess[] = [];
  try {
    for (const contestant of bench.contestants) {
      bench.progress(`${measure}, starting ${contestant.name}`);
      await startServer(contestant).then(
        (server) => servers.push(server),
        (error) => bench.fault(measure, contestant.name, error),
      );
    }
    if (servers.length > 0) await work(servers);
  } finally {
    await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
  }
}

export interface Generations {
  count: number;
  /** Of each generation, after a warm-up. */
  rounds: number;
  limitSeconds: number;
}

/** What a warm-up of a generation lasts: a new process is still being compiled for two or three seconds. */
export const COMPILING_SECONDS = 4;

/**
 * Rounds of which each few have servers of their own, started in another order: one process of a server is not as fast
 * as the next one of the same, by more than one round differs from another.
 */
export async function inGenerations(
  bench: Bench,
  measure: string,
  { count, ...plan }: Generations,
  work: (server: ServerProcess, round: number) => Promise<void>,
): Promise<void> {
  for (let generation = 0; generation < count; generation += 1) {
    const contestants = rotated(bench.contestants, generation);
    const progress = (step: string) => bench.progress(`${step}, generation ${generation + 1} of ${count}`);
    await withServers({ ...bench, contestants, progress }, measure, (runners) =>
      inRounds({ ...bench, progress }, measure, { ...plan, runners, warmUp: true }, work),
    );
  }
}

function rotated<T>(list: readonly T[], by: number): T[] {
  const turn = by % list.length;
  return [...list.slice(turn), ...list.slice(0, turn)];
}

async function within<T>(seconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No end after ${seconds} s`)), seconds * 1000);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

/** The load that begins a round and does not count: what the system took from a server that waited comes back. */
export const WAKING_SECONDS = 0.3;

export interface Usage {
  seconds: number;
  /** CPU microseconds of the server. */
  cpu: number;
}

/**
 * Takes the time and the server's CPU time of a piece of work, of which the load does not sleep, and notes a load
 * generator that was the bound.
 */
export async function timed(
  bench: Bench,
  what: string,
  server: ServerProcess,
  work: () => Promise<void>,
): Promise<Usage> {
  collectGarbage();
  const cpuBefore = server.cpu();
  const from = performance.now();
  const { isFull } = await awake(work);
  const seconds = (performance.now() - from) / 1000;
  const cpu = server.cpu() - cpuBefore;
  if (isFull && cpu / 1e6 / seconds < 0.95) {
    bench.note(`${what}, ${server.name}: the load filled its core, so the rate is what the load can do.`);
  }
  return { seconds, cpu };
}
