import { percentile } from '../load/statistics.ts';
import { type ServerProcess, startServer } from '../process/server-process.ts';
import type { Bench } from './bench.ts';
import { type PlayerProcess, startPlayer } from './player-process.ts';
import { compiledProgram } from './players.ts';

/** The environment of this benchmark on our own server. */
export const server = { name: 'ours', command: process.execPath, args: [compiledProgram('server')] } as const;

const limitSeconds = 20;
const call = { name: 'submit', input: { answer: '4' } };

interface Round {
  measure: string;
  workers: number;
  seconds: number;
  /** Round 0 warms up: a client that is compiled while it runs is some times slower at first. */
  counts: boolean;
}

/**
 * Episodes one after the other, by 32 workers and by one: session, prompt, tools, a call that finishes, close. The
 * players take turns on one server, each round beginning with another one.
 */
export async function playInRounds(bench: Bench): Promise<void> {
  const plan = bench.isQuick ? { rounds: 3, seconds: 0.5, warmUp: 2 } : { rounds: 9, seconds: 0.8, warmUp: 2.5 };
  const total = bench.secondsLeft();
  await using host = await startServer(server);
  let left = bench.players.map((player) => startPlayer(player, host.port));
  for (const workers of [32, 1]) {
    const measure = workers === 1 ? 'one episode at a time' : `${workers} episodes at once`;
    // A busy machine may make rounds many times longer: each part has a quarter of the time, and the third the rest.
    const reserve = total * (workers === 1 ? 0.5 : 0.75);
    for (let number = 0; number <= plan.rounds && (number < 2 || bench.secondsLeft() > reserve); number += 1) {
      const round = { measure, workers, seconds: number > 0 ? plan.seconds : plan.warmUp, counts: number > 0 };
      const turn = number % bench.players.length;
      for (const player of [...left.slice(turn), ...left.slice(0, turn)]) {
        bench.progress(`${measure}, ${number === 0 ? 'warm-up' : `round ${number} of ${plan.rounds}`}, ${player.name}`);
        if (await playRound(bench, host, player, round)) continue;
        left = left.filter((other) => other !== player);
        await player[Symbol.asyncDispose]();
      }
    }
  }
  await Promise.all(left.map((player) => player[Symbol.asyncDispose]()));
}

/** Whether the player can go on. */
async function playRound(
  { results }: Bench,
  host: ServerProcess,
  { name, play }: PlayerProcess,
  { measure, workers, seconds, counts }: Round,
): Promise<boolean> {
  const cpuBefore = host.cpu();
  try {
    const answer = await play({ workers, seconds, limit: limitSeconds, call });
    const serverShare = (host.cpu() - cpuBefore) / 1e6 / answer.seconds;
    for (const fault of answer.faults) results.fault(measure, name, fault);
    const count = answer.durations.length;
    if (count === 0) throw new Error(`no episode ended in ${limitSeconds} s`);
    if (!counts) return answer.faults.length === 0;

    if (serverShare > 0.9)
      results.notes.add(`${measure}, ${name}: the server filled its core, so the rate is its own.`);
    const durations = Float64Array.from(answer.durations);
    const record = (what: string, better: 'more' | 'less', value: number) =>
      results.record({ measure, name: what, better }, name, value);
    record('episodes/s', 'more', count / answer.seconds);
    record('client CPU us/episode', 'less', answer.cpu / count);
    record('p50 ms', 'less', percentile(durations, 0.5));
    record('p99 ms', 'less', percentile(durations, 0.99));
    return answer.faults.length === 0;
  } catch (error) {
    results.fault(measure, name, error);
    return false;
  }
}
