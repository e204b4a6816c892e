import type { IncomingMessage } from 'node:http';
import { isLoopbackHost } from '../../core/index.ts';

/**
 * Why a request is refused, or undefined: pages of elsewhere reach a server of this machine by a name of their own, or
 * say where they come from. Source: Model Context Protocol, transports, "Security Warning".
 *
 * @param allowedHosts names without ports. Default: those of this machine.
 */
export function describeRejection({ headers }: IncomingMessage, allowedHosts?: readonly string[]): string | undefined {
  const isAllowed = (name: string) => (allowedHosts ? allowedHosts.includes(name) : isLoopbackHost(name));
  const host = hostnameOf(`http://${headers.host ?? ''}`);
  if (host === undefined || !isAllowed(host)) return `the host ${headers.host ?? 'of no name'} is not served here`;
  if (headers.origin === undefined) return undefined;
  const origin = hostnameOf(headers.origin);
  if (origin !== undefined && isAllowed(origin)) return undefined;
  return `pages of ${headers.origin} may not ask this server`;
}

const hostnameOf = (address: string): string | undefined =>
  URL.canParse(address) ? new URL(address).hostname.toLowerCase() : undefined;
