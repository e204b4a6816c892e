import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
export const collectGarbage: () => void = runInNewContext('gc');

const ROUNDS = 3;
/** Maximum growth per round in bytes; a leak of a part of each request would exceed it. */
export const GROWTH_BOUND = 500_000;

export async function heapUsed(): Promise<number> {
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
  }
  return process.memoryUsage().heapUsed;
}

/**
 * Returns the median of the bytes by which each of three rounds enlarges the heap. A module that is loaded late
 * changes it once; a leak grows in every round.
 */
export async function growth(round: (index: number) => Promise<void>, weigh = heapUsed): Promise<number> {
  const sizes = [await weigh()];
  for (let index = 0; index < ROUNDS; index++) {
    await round(index);
    sizes.push(await weigh());
  }
  const [, median = Number.NaN] = sizes
    .slice(1)
    .map((size, index) => size - (sizes[index] ?? 0))
    .sort((a, b) => a - b);
  return median;
}

/**
 * Runs a program that prints measurements as JSON, in a process whose heap contains nothing of other suites.
 * @throws Error if the program fails, or does not end within 80 seconds.
 */
export async function measurementsOf(program: URL) {
  const args = ['--import', 'tsx', fileURLToPath(program)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 80_000 });
  return JSON.parse(stdout);
}
