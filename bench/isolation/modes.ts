import { availableParallelism } from 'node:os';
import { type Contestant, compiled } from '../process/contestants.ts';

/** Where the environment runs: the server's thread, a pool of workers, a worker for each session. */
export const modeNames = ['inline', 'worker', 'session'] as const;
export type ModeName = (typeof modeNames)[number];

/** Streams of the measured servers are never silent for longer, in milliseconds. */
export const heartbeatMs = 100;

/** Two at least: one for the tool that computes, and one for its neighbour. */
export const poolSize = Math.max(2, availableParallelism());

const defaultThreads = { inline: undefined, worker: poolSize, session: 'session' } as const;

export interface Modes {
  /** A server for each of these modes, in their order. `pool` is the number of workers in mode `worker`. */
  contestants(names: readonly ModeName[], pool?: number): Contestant[];
}

/** Compiles the server once. `isOnOneCore` keeps all threads of it on core 0. */
export function findModes({ isOnOneCore }: { isOnOneCore: boolean }): Modes {
  compiled('isolated-environment');
  const program = compiled('isolated');
  const contestant = (name: ModeName, pool: number | undefined): Contestant => {
    const threads = name === 'worker' && pool !== undefined ? pool : defaultThreads[name];
    const isolation = name === 'inline' ? 'inline' : 'worker';
    const options = JSON.stringify({ isolation, threads, heartbeatMs });
    return { name, command: process.execPath, args: [program, options], usesAllCores: !isOnOneCore };
  };
  return { contestants: (names, pool) => names.map((name) => contestant(name, pool)) };
}
