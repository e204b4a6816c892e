import type { ServerSettings } from 'ors-kit/server';

/** How many workers share the sessions, where they live in workers. */
export const THREADS = 2;

/** How a server to be measured is started. */
export interface Start {
  readonly isolation: 'inline' | 'worker';
  /** Of the server; those that are not given have their defaults. */
  readonly settings?: Partial<ServerSettings>;
  /** Whether time goes on only when the test says so. Default: false. */
  readonly isClockOurs?: boolean;
}

/** What a process has, once the garbage of its main thread is collected. Sizes in bytes. */
export interface Weight {
  readonly heap: number;
  /** Beside the heap, the memory of ArrayBuffers and Buffers included. */
  readonly external: number;
  readonly arrayBuffers: number;
  readonly rss: number;
  /** What keeps the event loop alive: sockets, timers, workers; by kind, in alphabetical order. */
  readonly handles: readonly string[];
  /** Undefined where the system does not tell. */
  readonly threads: number | undefined;
  readonly openFiles: number | undefined;
  readonly sessions: number;
}

export type Question = { readonly ask: 'weigh' } | { readonly ask: 'advance'; readonly ms: number };

/** The process says first where it listens, then answers questions one after the other. */
export type Said = { readonly url: string } | Weight | { readonly sessions: number };
