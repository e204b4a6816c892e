import type { Page } from '../../../../generated/trace.ts';
import { createTraceApiClient, type TraceApiClient } from '../../../../generated/trace-api-client.ts';
import { errorName, withoutTrailingSlashes } from '../../../core/index.ts';
import { apiKey } from './access.ts';
import { asRequestError, toRequestError } from './request-error.ts';

/** Base URL of the server; the page is at `/ui/` below it. */
export const SERVER_URL = withoutTrailingSlashes(new URL('../', document.baseURI).href);

/** Returns the headers that authenticate a request. */
export const keyHeaders = (): Record<string, string> => {
  const key = apiKey();
  return key === undefined ? {} : { Authorization: `Bearer ${key}` };
};

/** Adds the API key to a request. */
export const withApiKey = (request: Request): Request =>
  new Request(request, { headers: { ...Object.fromEntries(request.headers), ...keyHeaders() } });

/** Client of this server's trace API. */
export const traceApi: TraceApiClient = createTraceApiClient({
  baseUrl: SERVER_URL,
  fetch: (request) => fetch(withApiKey(request)),
});

/** Example of a block, for `logCommands`. */
export const EXAMPLE_BLOCK = '{"sub_type": "MESSAGE", "payload": {"role": "user", "content": "hello"}}';

/** Returns shell commands that log to an organization. They read a key from the variable that the SDK uses, too. */
export function logCommands(org: string, requests: readonly (readonly [path: string, body: string])[]): string {
  const hasKey = apiKey() !== undefined;
  const options = `${hasKey ? '-H "X-API-Key: $ORS_TRACES_API_KEY" ' : ''}-H 'Content-Type: application/json'`;
  return [
    ...(hasKey ? [`export ORS_TRACES_API_KEY=... ORS_TRACES_ORGANIZATION=${org}`] : []),
    ...requests.map(([path, body]) => `curl -s ${SERVER_URL}/v1/organizations/${org}${path} ${options} -d '${body}'`),
  ].join('\n');
}

type ApiResult<T> = { readonly data?: T; readonly error?: unknown; readonly response: Response };

/**
 * Returns the body of a response.
 *
 * @throws RequestError if the request failed.
 */
export async function unwrapResponse<T>(answer: Promise<ApiResult<T>>): Promise<T> {
  const { data, error, response } = await answer.catch((cause) => {
    // A cancelled request has not failed.
    throw isAbort(cause) ? cause : asRequestError(cause);
  });
  if (data === undefined || !response.ok) throw toRequestError(response.status, error);
  return data;
}

/**
 * Yields the pages of a list in order, at most `max`.
 *
 * @param load requests a page; its argument is the query parameter for the next one.
 */
export async function* readPages<P extends { readonly page: Page }>(
  load: (next: { readonly cursor?: string }) => Promise<P>,
  max = Number.POSITIVE_INFINITY,
): AsyncGenerator<P> {
  let next: { readonly cursor?: string } = {};
  for (let count = 0; count < max; count++) {
    const response = await load(next);
    yield response;
    const { next_cursor } = response.page;
    if (next_cursor === null) return;
    next = { cursor: next_cursor };
  }
}

/** Reads the pages of a list as `readPages` does; `isAll` is set if there are no more. */
export async function collectPages<P extends { readonly page: Page }>(
  load: (next: { readonly cursor?: string }) => Promise<P>,
  max?: number,
) {
  const pages: P[] = [];
  for await (const page of readPages(load, max)) pages.push(page);
  return { pages, isAll: pages.at(-1)?.page.next_cursor === null };
}

export const isAbort = (error: unknown): boolean => errorName(error) === 'AbortError';
