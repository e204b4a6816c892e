import type { IncomingMessage } from 'node:http';

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

export const isLoopback = (host: string): boolean => LOOPBACK.includes(host) || host === '::1';

/**
 * Why a request is refused, or undefined: pages of elsewhere reach a server of this machine by a name of their own, or
 * say where they come from. Source: Model Context Protocol, transports, "Security Warning".
 *
 * @param allowedHosts names without ports. Default: those of this machine.
 */
export function refusalOf(
  { headers }: IncomingMessage,
  allowedHosts: readonly string[] = LOOPBACK,
): string | undefined {
  const host = hostnameOf(`http://${headers.host ?? ''}`);
  if (host === undefined || !allowedHosts.includes(host))
    return `the host ${headers.host ?? 'of no name'} is not served here`;
  if (headers.origin === undefined) return undefined;
  const origin = hostnameOf(headers.origin);
  if (origin !== undefined && allowedHosts.includes(origin)) return undefined;
  return `pages of ${headers.origin} may not ask this server`;
}

const hostnameOf = (address: string): string | undefined =>
  URL.canParse(address) ? new URL(address).hostname.toLowerCase() : undefined;
