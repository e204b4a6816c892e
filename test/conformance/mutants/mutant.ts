import type { Environment } from 'ors-kit';
import type { operationHandlers, ServerOptions } from 'ors-kit/server';
import type { Wire } from './wire.ts';

/** A fault inside of the server. */
export interface ServerFault {
  /** Replace handlers of the server. */
  readonly handlers?: Partial<typeof operationHandlers>;
  readonly settings?: ServerOptions;
  /** Replaces the environments; those of the healthy server are given. */
  readonly environments?: (healthy: readonly Environment[]) => readonly Environment[];
}

/** A server that is healthy but for one thing that can be seen from outside. */
export interface Mutant {
  /** What it does wrong, as a sentence about the server without its full stop: `the first event is end`. */
  readonly name: string;
  /** The checks that notice it, at most four, and no others. */
  readonly caughtBy: readonly string[];
  /** What it does once it does ever after, so that other checks notice it by chance: those of `caughtBy` run alone. */
  readonly spreads?: true;
  /** Changes what travels, in a layer before the healthy server. Made anew for each run. */
  readonly wire?: () => Wire;
  /** Changes the server. Made anew for each run. */
  readonly server?: () => ServerFault;
}
