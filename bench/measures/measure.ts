import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { busyPoll } from '../load/busy-poll.ts';
import type { Contestant } from '../process/contestants.ts';
import { killServers, type ServerProcess, startServer } from '../process/server-process.ts';
import type { Metric, Results } from '../results.ts';

/** Input of a measure, and the functions that record its results. */
export interface MeasureContext {
  contestants: readonly Contestant[];
  /** Short rounds and smaller numbers: approximate results within minutes. */
  quick: boolean;
  /** Called at the start of each step. */
  progress(step: string): void;
  record(metric: Metric, contestant: string, value: number): void;
  /** Records a wrong response, a broken connection and the like. */
  fault(measure: string, contestant: string, error: unknown): void;
  /** Adds a remark below the table, unless the same remark was added before. */
  note(text: string): void;
}

export interface Measure {
  name: string;
  /** One line for `--help`. */
  about: string;
  /** Runs only on request. */
  isExtra?: boolean;
  run(context: MeasureContext): Promise<void>;
}

/** Creates a context that records into `results`. */
export const createContext = (
  { contestants, quick }: Pick<MeasureContext, 'contestants' | 'quick'>,
  results: Results,
  progress: (step: string) => void,
): MeasureContext => ({
  contestants,
  quick,
  progress,
  record: (metric, contestant, value) => results.record(metric, contestant, value),
  fault: (measure, contestant, error) => results.fault(measure, contestant, error),
  note: (text) => void results.notes.add(text),
});

export interface RoundPlan<Runner> {
  runners: readonly Runner[];
  rounds: number;
  /** Adds a round 0 before the others. */
  warmUp: boolean;
  /** Timeout of a round. */
  timeoutSeconds: number;
}

/**
 * Runs `work` for each contestant in turn, round after round, and starts each round with a different one. Many short
 * rounds are better than a few long ones, because the speed of a shared machine changes from second to second. If a
 * contestant fails, the error is recorded, its servers are killed, and it is left out of the remaining rounds.
 */
export async function runRounds<Runner extends { name: string }>(
  context: MeasureContext,
  measure: string,
  plan: RoundPlan<Runner>,
  work: (runner: Runner, round: number) => Promise<void>,
): Promise<void> {
  const failed = new Set<Runner>();
  for (let round = plan.warmUp ? 0 : 1; round <= plan.rounds; round += 1) {
    for (const runner of rotate(plan.runners, round)) {
      if (failed.has(runner)) continue;
      context.progress(`${measure}, ${round === 0 ? 'warm-up' : `round ${round} of ${plan.rounds}`}, ${runner.name}`);
      try {
        await withTimeout(plan.timeoutSeconds, work(runner, round));
      } catch (error) {
        context.fault(measure, runner.name, error);
        failed.add(runner);
        killServers(runner.name);
      }
    }
  }
}

/** Starts a server of each contestant, runs `work` with those that started, and kills them even if it fails. */
export async function withServers(
  context: MeasureContext,
  measure: string,
  work: (servers: readonly ServerProcess[]) => Promise<void>,
): Promise<void> {
  const servers: ServerProcess[] = [];
  try {
    for (const contestant of context.contestants) {
      context.progress(`${measure}, starting ${contestant.name}`);
      await startServer(contestant).then(
        (server) => servers.push(server),
        (error) => context.fault(measure, contestant.name, error),
      );
    }
    if (servers.length > 0) await work(servers);
  } finally {
    await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
  }
}

export interface GenerationPlan {
  count: number;
  /** Rounds of each generation, after a warm-up. */
  rounds: number;
  timeoutSeconds: number;
}

/** Warm-up of a generation: V8 compiles the code of a new process for two or three seconds. */
export const WARM_UP_SECONDS = 4;

/**
 * Runs rounds in generations: every few rounds with new server processes, started in another order. The speed of one
 * process differs from that of the next one of the same server by more than one round differs from another.
 */
export async function runGenerations(
  context: MeasureContext,
  measure: string,
  { count, ...plan }: GenerationPlan,
  work: (server: ServerProcess, round: number) => Promise<void>,
): Promise<void> {
  for (let generation = 0; generation < count; generation += 1) {
    const contestants = rotate(context.contestants, generation);
    const progress = (step: string) => context.progress(`${step}, generation ${generation + 1} of ${count}`);
    await withServers({ ...context, contestants, progress }, measure, (runners) =>
      runRounds({ ...context, progress }, measure, { ...plan, runners, warmUp: true }, work),
    );
  }
}

function rotate<T>(list: readonly T[], by: number): T[] {
  const start = by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

async function withTimeout<T>(seconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`timeout after ${seconds} s`)), seconds * 1000);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/** Unmeasured load at the start of a round: a server that was idle is slower at first. */
export const RAMP_UP_SECONDS = 0.3;

export interface Usage {
  seconds: number;
  /** CPU time of the server in microseconds. */
  cpu: number;
}

/** Measures wall time and the server's CPU time of a busy-polling load, and notes if the load was the bottleneck. */
export async function measureUsage(
  context: MeasureContext,
  what: string,
  server: ServerProcess,
  work: () => Promise<void>,
): Promise<Usage> {
  collectGarbage();
  const cpuBefore = server.cpu();
  const from = performance.now();
  const { isSaturated } = await busyPoll(work);
  const seconds = (performance.now() - from) / 1000;
  const cpu = server.cpu() - cpuBefore;
  if (isSaturated && cpu / 1e6 / seconds < 0.95) {
    context.note(`${what}, ${server.name}: the load generator saturated its core, so the rate is its maximum.`);
  }
  return { seconds, cpu };
}

setFlagsFromString('--expose-gc');
const gc: () => void = runInNewContext('gc');

/** Collects the garbage of the load generator, so that no collection happens while time is measured. */
export function collectGarbage(): void {
  gc();
}
