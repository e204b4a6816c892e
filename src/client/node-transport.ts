import { Client, type Dispatcher } from 'undici';
import type { Transport } from './transport.ts';

/**
 * Creates a transport over connections of undici. Their number is unlimited, because a ping must not wait behind long
 * calls; they have no timeouts, because tools may run for hours.
 *
 * @param ca PEM of the certificate authorities to trust.
 */
export function createNodeTransport(ca: string | Uint8Array | undefined): Transport {
  const options: Client.Options = {
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: ca === undefined ? {} : { ca: typeof ca === 'string' ? ca : Buffer.from(ca) },
  };
  const pools = new Map<string, ConnectionPool>();
  const poolOf = (origin: string): ConnectionPool => {
    const pool = pools.get(origin) ?? new ConnectionPool(origin, options);
    pools.set(origin, pool);
    return pool;
  };
  return {
    async send({ method, url, headers, body, signal }) {
      // Split by hand: parsing a URL costs more than sending it.
      const pathAt = url.indexOf('/', url.indexOf('//') + 2);
      const response = await poolOf(url.slice(0, pathAt)).request({
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
    async close() {
      await Promise.all(Array.from(pools.values(), (pool) => pool.destroy()));
    },
  };
}

/** The connections to one server. undici's own pool looks at all of them for each request, of which there can be thousands. */
class ConnectionPool {
  readonly #origin: string;
  readonly #options: Client.Options;
  readonly #all: Client[] = [];
  /** Connections without a request, the one that was used last at the end. */
  readonly #free: Client[] = [];

  constructor(origin: string, options: Client.Options) {
    this.#origin = origin;
    this.#options = options;
  }

  /** Sends a request over a connection that has no other one until the body of the response has been read. */
  async request(options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
    const client = this.#free.pop() ?? this.#open();
    try {
      const response = await client.request(options);
      let isFree = false;
      const free = () => {
        if (!isFree) this.#free.push(client);
        isFree = true;
      };
      // At the end of the body the reader continues, perhaps with the next request, before the body closes.
      response.body.once('end', free).once('close', free);
      return response;
    } catch (error) {
      this.#free.push(client);
      throw error;
    }
  }

  #open(): Client {
    const client = new Client(this.#origin, this.#options);
    this.#all.push(client);
    return client;
  }

  async destroy(): Promise<void> {
    await Promise.all(this.#all.map((client) => client.destroy()));
  }
}
