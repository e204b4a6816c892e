import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { ConformanceOptions } from '../../conformance/index.ts';
import { withoutTrailingSlashes } from '../../core/index.ts';

export type TlsOptions = NonNullable<ConformanceOptions['tls']>;

/** The status of GET /health; undefined if there is no answer. */
export function requestHealthStatus(url: URL, tls: TlsOptions, timeoutMs: number): Promise<number | undefined> {
  const target = `${withoutTrailingSlashes(url.href)}/health`;
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    const request = send(target, { agent: false, ...(url.protocol === 'https:' && tls) }, (response) => {
      resolve(response.statusCode);
      request.destroy();
    });
    request.setTimeout(timeoutMs, () => request.destroy());
    request.on('error', () => resolve(undefined));
    request.on('close', () => resolve(undefined));
    request.end();
  });
}
