import { type ServerProcess, startServer } from '../process/server-process.ts';
import type { Results } from '../results.ts';
import { percentile } from '../statistics.ts';
import { type ClientProcess, startClient } from './client-process.ts';
import { type ClientProgram, compileProgram } from './client-programs.ts';

/** Input of a measure of clients. */
export interface ClientContext {
  programs: readonly ClientProgram[];
  /** Short rounds and smaller numbers: approximate results within a minute. */
  isQuick: boolean;
  results: Results;
  /** Returns the rest of the time budget of the run; on a busy machine it ends after fewer rounds. */
  secondsLeft(): number;
  /** Called at the start of each step. */
  progress(step: string): void;
}

/** Starts our server with the environment of this benchmark. */
export const startOurServer = (): Promise<ServerProcess> =>
  startServer({ name: 'ours', command: process.execPath, args: [compileProgram('server')] });

const TIMEOUT_SECONDS = 20;
const call = { name: 'submit', input: { answer: '4' } };

interface Round {
  measure: string;
  workers: number;
  seconds: number;
  /** False for round 0, the warm-up: a client is several times slower while its code is compiled. */
  isRecorded: boolean;
}

/**
 * Measures episodes, 32 at once and one at a time: session, prompt, tools, a call that finishes, close. The clients
 * take turns on one server, and each round starts with a different one.
 */
export async function measureEpisodeRates(context: ClientContext): Promise<void> {
  const plan = context.isQuick ? { rounds: 3, seconds: 0.5, warmUp: 2 } : { rounds: 9, seconds: 0.8, warmUp: 2.5 };
  const total = context.secondsLeft();
  await using host = await startOurServer();
  let clients = context.programs.map((program) => startClient(program, host.port));
  for (const workers of [32, 1]) {
    const measure = workers === 1 ? 'one episode at a time' : `${workers} episodes at once`;
    // On a busy machine rounds take much longer: each part gets a quarter of the time, the third one the rest.
    const reserve = total * (workers === 1 ? 0.5 : 0.75);
    for (let number = 0; number <= plan.rounds && (number < 2 || context.secondsLeft() > reserve); number += 1) {
      const round = { measure, workers, seconds: number > 0 ? plan.seconds : plan.warmUp, isRecorded: number > 0 };
      const first = number % context.programs.length;
      for (const client of [...clients.slice(first), ...clients.slice(0, first)]) {
        const step = number === 0 ? 'warm-up' : `round ${number} of ${plan.rounds}`;
        context.progress(`${measure}, ${step}, ${client.name}`);
        if (await runRound(context, host, client, round)) continue;
        clients = clients.filter((other) => other !== client);
        await client[Symbol.asyncDispose]();
      }
    }
  }
  await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
}

/** @returns whether the client can continue. */
async function runRound(
  { results }: ClientContext,
  host: ServerProcess,
  { name, run }: ClientProcess,
  { measure, workers, seconds, isRecorded }: Round,
): Promise<boolean> {
  const cpuBefore = host.cpu();
  try {
    const result = await run({ workers, seconds, timeout: TIMEOUT_SECONDS, call });
    const serverLoad = (host.cpu() - cpuBefore) / 1e6 / result.seconds;
    for (const fault of result.faults) results.fault(measure, name, fault);
    const count = result.durations.length;
    if (count === 0) throw new Error(`no episode ended within ${TIMEOUT_SECONDS} s`);
    if (!isRecorded) return result.faults.length === 0;

    if (serverLoad > 0.9) results.notes.add(`${measure}, ${name}: the server saturated its core and limited the rate.`);
    const record = (what: string, better: 'more' | 'less', value: number) =>
      results.record({ measure, name: what, better }, name, value);
    record('episodes/s', 'more', count / result.seconds);
    record('client CPU us/episode', 'less', result.cpu / count);
    record('p50 ms', 'less', percentile(result.durations, 0.5));
    record('p99 ms', 'less', percentile(result.durations, 0.99));
    return result.faults.length === 0;
  } catch (error) {
    results.fault(measure, name, error);
    return false;
  }
}
