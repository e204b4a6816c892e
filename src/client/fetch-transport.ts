import { OrsProtocolError } from './errors.ts';
import type { Transport } from './transport.ts';

/** Requests by fetch, on every platform that has one. */
export function createFetchTransport(fetch: typeof globalThis.fetch): Transport {
  return {
    async send({ method, url, headers, body, signal }) {
      const init = { method, headers, signal, redirect: 'manual' as const, credentials: 'omit' as const };
      const response = await fetch(url, body === undefined ? init : { ...init, body });
      // Browsers do not tell where to.
      if (response.type === 'opaqueredirect') {
        throw new OrsProtocolError(`${url} redirects elsewhere; use the address that it leads to`);
      }
      return {
        status: response.status,
        header: (name) => response.headers.get(name) ?? undefined,
        text: () => response.text(),
        bytes: () => chunks(response.body),
      };
    },
    close: async () => undefined,
  };
}

// Safari and older browsers cannot iterate over streams.
async function* chunks(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (!stream) return;
  const reader = stream.getReader();
  let isDone = false;
  try {
    while (!isDone) {
      const { done, value } = await reader.read();
      isDone = done;
      if (value) yield value;
    }
  } finally {
    if (!isDone) await reader.cancel().catch(() => undefined);
  }
}
