import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const cores = availableParallelism();
const hasTaskset = spawnSync('taskset', ['--version']).status === 0;
const canPin = hasTaskset && cores >= 2;
let isPinned = false;

/** Prefixes a command so that it runs on core 0; returns it unchanged if this machine cannot pin processes. */
export function pinToServerCore(command: readonly string[]): readonly string[] {
  return canPin ? ['taskset', '-c', '0', ...command] : command;
}

/** Pins this process, the load generator, to core 1, and returns a sentence that says which process runs where. */
export function pinLoad(): string {
  if (!hasTaskset) return 'Not pinned: `taskset` is not installed, so servers and load share all cores.';
  if (!canPin) return 'Not pinned: servers and load share the only core.';
  isPinned = spawnSync('taskset', ['-a', '-c', '-p', '1', String(process.pid)]).status === 0;
  return isPinned ? 'Servers on core 0, load on core 1.' : 'Servers on core 0; pinning the load to core 1 failed.';
}

/** @returns whether this process has a core to itself. */
export const hasOwnCore = (): boolean => isPinned;
