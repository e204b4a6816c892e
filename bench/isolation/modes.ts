import { availableParallelism } from 'node:os';
import { type Contestant, compileServer } from '../process/contestants.ts';

/** Places where the environment runs: the server's thread, a pool of workers, one worker per session. */
export const modeNames = ['inline', 'worker', 'session'] as const;
export type ModeName = (typeof modeNames)[number];

/** Heartbeat interval of the measured servers. */
export const HEARTBEAT_MS = 100;

/** At least two workers: one for the tool that computes, and one for the other session. */
export const poolSize = Math.max(2, availableParallelism());

const defaultThreads = { inline: undefined, worker: poolSize, session: 'session' } as const;

export interface Modes {
  /** Returns a server for each of these modes. @param pool Number of workers in mode `worker`. */
  contestants(names: readonly ModeName[], pool?: number): Contestant[];
}

/** Compiles the server. With `isOnOneCore` all threads of the server run on core 0. */
export function createModes({ isOnOneCore }: { isOnOneCore: boolean }): Modes {
  compileServer('isolated-environment');
  const program = compileServer('isolated');
  const contestant = (name: ModeName, pool: number | undefined): Contestant => {
    const threads = name === 'worker' && pool !== undefined ? pool : defaultThreads[name];
    const isolation = name === 'inline' ? 'inline' : 'worker';
    const options = JSON.stringify({ isolation, threads, heartbeatMs: HEARTBEAT_MS });
    return { name, command: process.execPath, args: [program, options], usesAllCores: !isOnOneCore };
  };
  return { contestants: (names, pool) => names.map((name) => contestant(name, pool)) };
}
