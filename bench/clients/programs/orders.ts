/** What all players in TypeScript have in common: orders come as lines of JSON on standard input, answers leave alike. */
import { createInterface } from 'node:readline';
import type { JSONObject } from 'ors-kit';

export interface Order {
  /** Episodes at the same time. */
  workers: number;
  /** Each worker plays one episode after the other for so long, and one at least. */
  seconds: number;
  /** After so many seconds the answer is given, whoever still plays. */
  limit: number;
  /** The call that ends an episode. */
  call: Call;
}

export interface Call {
  name: string;
  input: JSONObject;
}

export interface Answer {
  /** Milliseconds of each episode that ended right. */
  durations: number[];
  /** Seconds until the last episode had ended. */
  seconds: number;
  /** Microseconds of CPU time of the whole process. */
  cpu: number;
  /** What went wrong; a worker stops at its first fault. */
  faults: string[];
}

/** Plays by orders until there are no more. */
export async function obeyOrders(play: (call: Call) => Promise<void>): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const answer = await carryOut(JSON.parse(line), play);
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
  process.exit();
}

async function carryOut(
  { workers, seconds, limit, call }: Order,
  play: (call: Call) => Promise<void>,
): Promise<Answer> {
  const durations: number[] = [];
  const faults: string[] = [];
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  const work = async () => {
    try {
      let from = start;
      do {
        await play(call);
        const now = performance.now();
        durations.push(now - from);
        from = now;
      } while (from - start < seconds * 1000);
    } catch (error) {
      faults.push(String(error));
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const timeIsUp = new Promise((resolve) => {
    timer = setTimeout(resolve, limit * 1000);
  });
  await Promise.race([Promise.all(Array.from({ length: workers }, work)), timeIsUp]);
  clearTimeout(timer);
  const elapsed = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { durations, seconds: elapsed, cpu: user + system, faults };
}

/** Throws if an episode did not go as the environment of this benchmark goes. */
export function check(what: string, found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
}
