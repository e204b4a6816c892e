/**
 * Protocol of the client programs in TypeScript: reads jobs as JSON lines from standard input, writes results likewise.
 */
import { createInterface } from 'node:readline';
import type { JSONObject } from 'ors-kit';

export interface Job {
  /** Number of concurrent episodes. */
  workers: number;
  /** Time for which each worker plays episodes sequentially, at least one. */
  seconds: number;
  /** Time after which the result is sent even if workers are still playing, in seconds. */
  timeout: number;
  /** The call that ends an episode. */
  call: ToolCall;
}

export interface ToolCall {
  name: string;
  input: JSONObject;
}

export interface JobResult {
  /** Milliseconds of each correct episode. */
  durations: number[];
  /** Seconds until the last episode ended. */
  seconds: number;
  /** CPU time of the process in microseconds. */
  cpu: number;
  /** Error messages; a worker stops at its first error. */
  faults: string[];
}

/** Plays episodes for jobs until standard input ends. */
export const runJobs = (play: (call: ToolCall) => Promise<void>): Promise<void> =>
  answerJobs((job: Job) => runJob(job, play));

/** Runs jobs until standard input ends, and writes their results. */
export async function answerJobs<J>(run: (job: J) => Promise<object>): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const result = await run(JSON.parse(line));
    process.stdout.write(`${JSON.stringify(result)}\n`);
  }
  process.exit();
}

async function runJob(
  { workers, seconds, timeout, call }: Job,
  play: (call: ToolCall) => Promise<void>,
): Promise<JobResult> {
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
  const timedOut = new Promise((resolve) => {
    timer = setTimeout(resolve, timeout * 1000);
  });
  await Promise.race([Promise.all(Array.from({ length: workers }, work)), timedOut]);
  clearTimeout(timer);
  const elapsed = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { durations, seconds: elapsed, cpu: user + system, faults };
}

/** Asserts a value of an episode of the benchmark's environment. */
export function assertEqual(what: string, actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new Error(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
}
