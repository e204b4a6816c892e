import type { HttpHeader } from './probe/exchange.ts';

/**
 * A named set of checks.
 * - `discovery`: read-only; creates no session.
 * - `core`: a few sessions and calls, on any server; includes discovery.
 * - `full`: checks that need more sessions, calls or time, or the fixture environment; includes core.
 * - `soak`: waits for the 60 seconds and 15 minutes of the standard to pass.
 * - `hostile`: malformed HTTP, slow senders, readers that do not read.
 *
 * @example
 * const profiles: Profile[] = ['core', 'hostile'];
 * const checks = selectChecks(serverChecks, { profiles });
 */
export type Profile = 'discovery' | 'core' | 'full' | 'soak' | 'hostile';

/**
 * The profiles whose checks each profile runs.
 *
 * @example
 * PROFILE_INCLUDES.core; // ['discovery', 'core']
 */
export const PROFILE_INCLUDES: Readonly<Record<Profile, readonly Profile[]>> = {
  discovery: ['discovery'],
  core: ['discovery', 'core'],
  full: ['discovery', 'core', 'full'],
  soak: ['soak'],
  hostile: ['hostile'],
};

/**
 * Times of the server under test, in milliseconds. The defaults are those of the standard.
 *
 * @example
 * const times: Partial<ServerTimes> = { idleMs: 60_000 };
 * const options: ConformanceOptions = { profiles: ['soak'], times };
 */
export interface ServerTimes {
  /** A session expires after this time without requests. @default 900_000 */
  readonly idleMs: number;
  /** A result can be fetched for this long after its call has ended. @default 60_000 */
  readonly lingerMs: number;
  /** Maximum time between two heartbeats of a silent stream. @default 15_000 */
  readonly heartbeatMs: number;
}

export const STANDARD_TIMES: ServerTimes = { idleMs: 900_000, lingerMs: 60_000, heartbeatMs: 15_000 };

/**
 * Options of a conformance run of a server.
 *
 * @example
 * const options: ConformanceOptions = { profiles: ['full'], headers: [['Authorization', `Bearer ${key}`]] };
 */
export interface ConformanceOptions {
  /** @default ['core'] */
  readonly profiles?: readonly Profile[];
  /** Name of the environment to test. @default the fixture if the server has it, else the first */
  readonly environment?: string;
  /** Runs only these checks: ids, groups or requirements. @default all checks of the profiles */
  readonly only?: readonly string[];
  /** Skips these checks: ids, groups or requirements. @default none */
  readonly skip?: readonly string[];
  /** Names of the tools that may be called. @default all */
  readonly tools?: readonly string[];
  /** Names of tools that must not be called. @default none */
  readonly skipTools?: readonly string[];
  /** Makes no tool calls at all. @default false */
  readonly noToolCalls?: boolean;
  /** Inputs by tool name; they take precedence over generated ones. */
  readonly inputs?: Readonly<Record<string, Record<string, unknown>>>;
  /** Secrets that every episode gets; reports never contain them. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Maximum number of calls in the run. @default the sum of what the checks need */
  readonly maxCalls?: number;
  /** Starts no further check after this many seconds. @default 120 for discovery and core, otherwise unlimited */
  readonly maxSeconds?: number;
  /** Time limit for one response, in milliseconds. @default 30_000 */
  readonly timeoutMs?: number;
  readonly times?: Partial<ServerTimes>;
  /** Seed of all random numbers. @default 1 */
  readonly seed?: number;
  /** Maximum number of concurrent checks. @default 4 */
  readonly concurrency?: number;
  /** Headers of every request; reports omit their values. */
  readonly headers?: readonly HttpHeader[];
  readonly tls?: {
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
    readonly rejectUnauthorized?: boolean;
  };
  readonly loads?: Partial<LoadSizes>;
  /** Ends the run early; sessions are deleted, and the remaining checks are not testable. */
  readonly signal?: AbortSignal;
}

/** Numbers of requests in the heaviest checks. */
export interface LoadSizes {
  /** Session ids that must differ. @default 1000 */
  readonly sids: number;
  /** Random malformed requests. @default 500 */
  readonly malformed: number;
  /** Tools that run while /health is requested. @default 32 */
  readonly runningTools: number;
}

export const STANDARD_LOADS: LoadSizes = { sids: 1_000, malformed: 500, runningTools: 32 };
