import { isLoopbackHost } from '../../../core/index.ts';

/** Task of an episode. */
export interface PlaygroundTask {
  readonly environment: string;
  readonly split: string;
  readonly index: number;
}

/**
 * Returns whether this page may open episodes: on the same machine, or with a key that the server requires. Otherwise a
 * link could make a visitor start work on an unprotected server.
 */
export const canPlay = (hostname: string, key: string | undefined): boolean =>
  key !== undefined || isLoopbackHost(hostname) || hostname.endsWith('.localhost');
