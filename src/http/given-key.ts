import type { IncomingHttpHeaders } from 'node:http';

/** The API key of a request: `X-API-Key`, else what `Authorization` bears. */
export function givenKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['x-api-key'];
  if (typeof key === 'string' && key !== '') return key;
  return /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
}
