import { Agent } from 'undici';
import type { Transport } from './transport.ts';

/**
 * Creates a transport with a connection pool of undici. The pool is unlimited, because a ping must not wait behind long
 * calls; it has no timeouts, because tools may run for hours.
 *
 * @param ca PEM of the certificate authorities to trust.
 */
export function createNodeTransport(ca: string | Uint8Array | undefined): Transport {
  const agent = new Agent({
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: ca === undefined ? {} : { ca: typeof ca === 'string' ? ca : Buffer.from(ca) },
  });
  return {
    async send({ method, url, headers, body, signal }) {
      // Split by hand: parsing a URL costs more than sending it.
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
