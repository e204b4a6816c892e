import { type AnyHandlers, HttpError, type OperationRequest } from '../../http/index.ts';
import { Overloaded, Refusal } from '../model/index.ts';

/** How long a client should wait before it writes again, in seconds. */
const RETRY_AFTER = '1';

/** What a store refuses, as an answer that says so. */
export function toHttp(error: unknown): unknown {
  if (error instanceof Refusal) {
    return new HttpError(error.failure.http_status, error.message, {}, { failure: error.failure });
  }
  if (error instanceof Overloaded) return new HttpError(503, error.message, { 'Retry-After': RETRY_AFTER });
  return error;
}

/**
 * The same handlers; what a store refuses becomes an answer.
 *
 * @param handlers a table that is complete by its type; here only its keys count.
 */
export const withRefusals = <Context>(handlers: object): AnyHandlers<Context> =>
  Object.fromEntries(
    Object.entries(handlers as AnyHandlers<Context>).map(([id, handler]) => [
      id,
      async (request: OperationRequest<never>, context: Context) => {
        try {
          return await handler(request, context);
        } catch (error) {
          throw toHttp(error);
        }
      },
    ]),
  );
