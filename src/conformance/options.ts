import type { HttpHeader } from './probe/exchange.ts';
import type { Profile } from './profile.ts';

/** Times of the server under test in milliseconds; those of the standard, unless it was started with others. */
export interface ServerTimes {
  /** A session without requests is gone after this. Default: 900 000. */
  readonly idleMs: number;
  /** A result is kept this long after its call has ended. Default: 60 000. */
  readonly lingerMs: number;
  /** A silent stream sends something at least this often. Default: 15 000. */
  readonly heartbeatMs: number;
}

export const STANDARD_TIMES: ServerTimes = { idleMs: 900_000, lingerMs: 60_000, heartbeatMs: 15_000 };

export interface ConformanceOptions {
  /** Default: core. */
  readonly profiles?: readonly Profile[];
  /** The environment to test. Default: the fixture if it is served, else the first. */
  readonly environment?: string;
  /** Ids or their beginnings: only these checks. Default: all of the profiles. */
  readonly only?: readonly string[];
  /** Ids or their beginnings: not these. */
  readonly skip?: readonly string[];
  /** Tools that may be called. Default: all. */
  readonly tools?: readonly string[];
  readonly skipTools?: readonly string[];
  /** Makes no tool calls at all. Default: false. */
  readonly noToolCalls?: boolean;
  /** Inputs by tool name, which go before made ones. */
  readonly inputs?: Readonly<Record<string, Record<string, unknown>>>;
  /** Given to every episode; never in a report. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** At most so many calls in the whole run. Default: what the checks need. */
  readonly maxCalls?: number;
  /** Starts no further check after so many seconds. Default: 120 in core, none in others. */
  readonly maxSeconds?: number;
  /** How long one answer may take, in milliseconds. Default: 30 000. */
  readonly timeoutMs?: number;
  readonly times?: Partial<ServerTimes>;
  /** Of everything random. Default: 1. */
  readonly seed?: number;
  /** How many checks run at once. Default: 4. */
  readonly concurrency?: number;
  /** Headers of every request; their values are left out of reports. */
  readonly headers?: readonly HttpHeader[];
  readonly tls?: {
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
    readonly rejectUnauthorized?: boolean;
  };
  /** Numbers of requests in the heaviest checks. Default: 1000 ids, 500 malformed requests, 32 running tools. */
  readonly loads?: Partial<LoadSizes>;
  /** Ends the run early; sessions are deleted, and what has not run is not testable. */
  readonly signal?: AbortSignal;
}

/** How many of each the heaviest checks make. */
export interface LoadSizes {
  readonly sids: number;
  readonly malformed: number;
  readonly runningTools: number;
}

export const STANDARD_LOADS: LoadSizes = { sids: 1_000, malformed: 500, runningTools: 32 };
