import type { SessionInfo } from '../../server/index.ts';

/** What a generation tells the process that watches. */
export type ServerProcessReport =
  | { readonly kind: 'ready'; readonly environments: readonly string[] }
  | { readonly kind: 'failed'; readonly message: string }
  /** Its sessions end now: it was told to retire, or it crashed. */
  | { readonly kind: 'ended'; readonly sessions: readonly SessionInfo[] };

/**
 * What it is told: to answer on a connection that comes with the message; to end its sessions and then itself, because
 * another one takes its place (retire) or because none does (stop).
 */
export interface ServerProcessCommand {
  readonly kind: 'connection' | 'retire' | 'stop';
}

/** Set for a process that is a generation. */
export const SERVER_PROCESS_VARIABLE = 'ORS_SERVE_GENERATION';
