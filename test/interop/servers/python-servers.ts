import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPuzzle, type Puzzle } from '../../../examples/countdown/puzzle.ts';
import { type packages, startPythonServer } from '../python.ts';
import type { ServerProcess } from '../server-process.ts';

const puzzles = (seed: number, count: number, amount: number): Puzzle[] =>
  Array.from({ length: count }, (_, index) => createPuzzle(seed, index, amount));

/** Tasks of the example countdown; `hard` is a split that servers know by index alone. */
export const countdownTasks = { train: puzzles(1, 1_000, 4), test: puzzles(2, 200, 4), hard: puzzles(3, 30, 6) };

/** Starts a server of this package with the environments countdown, maze and wire. */
export async function serveWithPython(name: (typeof packages)[number]): Promise<ServerProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'ors-kit-'));
  const removeFolder = () => rm(folder, { recursive: true });
  try {
    const tasks = join(folder, 'countdown.json');
    await writeFile(tasks, JSON.stringify(countdownTasks));
    const server = await startPythonServer('servers/serve.py', { SERVED_BY: name, COUNTDOWN_TASKS: tasks });
    return {
      url: server.url,
      async [Symbol.asyncDispose]() {
        await server[Symbol.asyncDispose]();
        await removeFolder();
      },
    };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}
