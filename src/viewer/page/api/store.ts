import { createTraceApiClient, type TraceApiClient } from '../../../../generated/trace-api-client.ts';
import { errorName, withoutTrailingSlashes } from '../../../core/index.ts';
import { asRequestError, toRequestError } from './failure.ts';
import { apiKey } from './key.ts';

/** The server that this page comes from; the page stands at /ui/ of it. */
export const SERVER_URL = withoutTrailingSlashes(new URL('../', document.baseURI).href);

/** The headers that every request of this page has. */
export const keyHeaders = (): Record<string, string> => {
  const key = apiKey();
  return key === undefined ? {} : { Authorization: `Bearer ${key}` };
};

/** A request as this page sends it. */
export const withApiKey = (request: Request): Request =>
  new Request(request, { headers: { ...Object.fromEntries(request.headers), ...keyHeaders() } });

/** The trace API of this server: one method per operation of its document. */
export const traceApi: TraceApiClient = createTraceApiClient({
  baseUrl: SERVER_URL,
  fetch: (request) => fetch(withApiKey(request)),
});

type ApiResult<T> = { readonly data?: T; readonly error?: unknown; readonly response: Response };

/** The value of an answer. @throws Failure for anything else. */
export async function unwrapResponse<T>(answer: Promise<ApiResult<T>>): Promise<T> {
  const { data, error, response } = await answer.catch((cause) => {
    // That a request was given up is no failure of it.
    throw isAbort(cause) ? cause : asRequestError(cause);
  });
  if (data === undefined || !response.ok) throw toRequestError(response.status, error);
  return data;
}

export const isAbort = (error: unknown): boolean => errorName(error) === 'AbortError';
