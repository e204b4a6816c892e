import type { Environment } from 'ors-kit';
import type { operationHandlers, ServerOptions } from 'ors-kit/server';
import type { Wire } from './wire.ts';

/** A fault inside the server. */
export interface ServerFault {
  /** Replacements of handlers. */
  readonly handlers?: Partial<typeof operationHandlers>;
  readonly settings?: ServerOptions;
  /** Replaces the environments of the healthy server. */
  readonly environments?: (healthy: readonly Environment[]) => readonly Environment[];
}

/** A correct server with one defect that is visible from outside. */
export interface Mutant {
  /** Description of the defect, as a sentence without a full stop: `the first event is end`. */
  readonly name: string;
  /** All checks that detect it, at most four. */
  readonly caughtBy: readonly string[];
  /** The defect persists once it has occurred and affects other checks by chance, so only those of `caughtBy` run. */
  readonly spreads?: true;
  /** Creates a proxy layer that changes requests and responses of the healthy server; called for each run. */
  readonly wire?: () => Wire;
  /** Creates a fault inside the server; called for each run. */
  readonly server?: () => ServerFault;
}
