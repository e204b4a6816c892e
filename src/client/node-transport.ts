import { Agent } from 'undici';
import type { Transport } from './transport.ts';

/**
 * Connections of undici. There is no limit to their number, since with fewer connections than long calls a ping would
 * wait behind a call; and no time limit of its own, since tools may think for hours.
 */
export function createNodeTransport(ca: string | Uint8Array | undefined): Transport {
  const agent = new Agent({
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: ca === undefined ? {} : { ca: typeof ca === 'string' ? ca : Buffer.from(ca) },
  });
  return {
    async send({ method, url, headers, body, signal }) {
      // Cut by hand, since parsing a URL costs more than sending it.
      const pathAt = url.indexOf('/', url.indexOf('//') + 2);
      const response = await agent.request({
        origin: url.slice(0, pathAt),
        path: url.slice(pathAt),
        method: method as 'GET' | 'POST',
        headers,
        body: body ?? null,
        signal,
      });
      return {
        status: response.statusCode,
        header(name) {
          const value = response.headers[name.toLowerCase()];
          return Array.isArray(value) ? value.join(', ') : value;
        },
        text: () => response.body.text(),
        bytes: () => response.body,
      };
    },
    close: () => agent.destroy(),
  };
}
