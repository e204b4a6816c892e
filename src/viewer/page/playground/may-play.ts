import { isLoopbackHost } from '../../../core/index.ts';
/**
 * Whether this page may open episodes: on the machine that it is looked at from, or with a key that the server asked
 * for. Elsewhere a link could have a passer-by start work on a server that nobody guards.
 */
export const canPlay = (hostname: string, key: string | undefined): boolean =>
  key !== undefined || isLoopbackHost(hostname) || hostname.endsWith('.localhost');
