import { EnvHttpProxyAgent, fetch } from 'undici';

const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

/**
 * A fetch that waits as long as it takes: the platform's own gives up after 300 s of silence, and a server of one's own
 * may let a request wait longer than that for its turn. It goes through the proxy that the environment names.
 */
export function createFetchWithoutTimeout(): typeof globalThis.fetch {
  const noProxy = [process.env.no_proxy ?? process.env.NO_PROXY, ...LOCAL].filter(Boolean).join(',');
  const dispatcher = new EnvHttpProxyAgent({ headersTimeout: 0, bodyTimeout: 0, noProxy });
  const patient = (url: string, init: object = {}) => fetch(url, { ...init, dispatcher });
  // The types of undici and of the platform differ in name only; the AI SDK gives a URL and plain options.
  return patient as unknown as typeof globalThis.fetch;
}
