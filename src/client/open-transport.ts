import { createFetchTransport } from './fetch-transport.ts';
import type { Transport } from './transport.ts';

/** What a transport can be told. */
export interface TransportOptions {
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly ca?: string | Uint8Array | undefined;
}

/**
 * A pool of connections in Node, whose own fetch gives a silent answer up after 300 s; fetch everywhere else.
 *
 * @throws TypeError for `ca` where certificates are the platform's affair.
 */
export async function openTransport({ fetch, ca }: TransportOptions): Promise<Transport> {
  if (!fetch && isNode()) {
    const { createNodeTransport } = await import('./node-transport.ts');
    return createNodeTransport(ca);
  }
  if (ca !== undefined) throw new TypeError('ca works in Node without a fetch of your own; set it up in your platform');
  return createFetchTransport(fetch ?? globalThis.fetch.bind(globalThis));
}

// Bun and Deno call themselves Node too, but have no undici inside.
const isNode = (): boolean =>
  typeof process === 'object' && Boolean(process.versions?.node) && !('Bun' in globalThis) && !('Deno' in globalThis);
