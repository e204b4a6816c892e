import { type IncomingMessage, request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';

/** Requests a URL over a separate connection. @returns the response, whose body must be read or destroyed. */
export function requestOnce(target: string, options: RequestOptions): Promise<IncomingMessage> {
  const send = /^https:/i.test(target) ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    send(target, { ...options, agent: false }, resolve)
      .on('error', reject)
      .end();
  });
}
