import type { ServerSettings } from 'ors-kit/server';

/** How many workers share the sessions, where they live in workers. */
export const THREADS = 2;

/** How a server to be measured is started. */
export interface Start {
  readonly isolation: 'inline' | 'worker';
  /** Settings of the server that differ from the defaults. */
  readonly settings?: Partial<ServerSettings>;
  /** The test advances the clock. @default false */
  readonly isClockOurs?: boolean;
}

/** Resources of a process after a garbage collection of its main thread. Sizes in bytes. */
export interface Weight {
  readonly heap: number;
  /** Memory outside the heap, including ArrayBuffers and Buffers. */
  readonly external: number;
  readonly arrayBuffers: number;
  readonly rss: number;
  /** Kinds of resources that keep the event loop alive (sockets, timers, workers), in alphabetical order. */
  readonly handles: readonly string[];
  /** Undefined if the system does not report it. */
  readonly threads: number | undefined;
  readonly openFiles: number | undefined;
  readonly sessions: number;
}

export type Question = { readonly ask: 'weigh' } | { readonly ask: 'advance'; readonly ms: number };

/** The process says first where it listens, then answers questions one after the other. */
export type Said = { readonly url: string } | Weight | { readonly sessions: number };
