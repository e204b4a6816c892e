import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const cores = availableParallelism();
const hasTaskset = spawnSync('taskset', ['--version']).status === 0;
const pins = hasTaskset && cores >= 2;
let isAlone = false;

/** The command that runs on core 0, where this machine can pin processes. */
export function onServerCore(command: readonly string[]): readonly string[] {
  return pins ? ['taskset', '-c', '0', ...command] : command;
}

/** Pins this process, which is the load, to core 1, and returns a sentence that says what runs where. */
export function pinLoad(): string {
  if (!hasTaskset) return 'Not pinned: `taskset` is not there, so servers and load share the cores freely.';
  if (!pins) return 'Not pinned: there is one core only, so servers and load share it.';
  const pinned = spawnSync('taskset', ['-a', '-c', '-p', '1', String(process.pid)]).status === 0;
  isAlone = pinned;
  return pinned ? 'Servers on core 0, load on core 1.' : 'Servers on core 0; the load could not be pinned to core 1.';
}

/** Whether this process has a core to itself. */
export const isLoadAlone = (): boolean => isAlone;
