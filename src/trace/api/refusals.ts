import { type AnyHandlers, ByteStream, HttpError, JsonPieces, type OperationRequest, Reply } from '../../http/index.ts';
import { StoreUnavailableError, TraceStoreError } from '../model/index.ts';

/** What a store refuses, as an answer that says so. */
export function toHttpError(error: unknown): unknown {
  if (error instanceof TraceStoreError) {
    return new HttpError(error.body.http_status, error.message, {}, { failure: error.body });
  }
  if (error instanceof StoreUnavailableError) {
    return new HttpError(503, error.message, { 'Retry-After': String(error.retryAfterSeconds) });
  }
  return error;
}

/**
 * The same handlers; what a store refuses becomes an answer, also while another is sent: as long as none of it is.
 *
 * @param handlers a table that is complete by its type; here only its keys count.
 */
export const mapStoreErrors = <Context>(handlers: object): AnyHandlers<Context> =>
  Object.fromEntries(
    Object.entries(handlers as AnyHandlers<Context>).map(([id, handler]) => [
      id,
      async (request: OperationRequest<never>, context: Context) => {
        try {
          return withLateRefusals(await handler(request, context));
        } catch (error) {
          throw toHttpError(error);
        }
      },
    ]),
  );

function withLateRefusals(response: unknown): unknown {
  if (!(response instanceof Reply)) return response;
  const { content, headers, status } = response;
  if (content instanceof JsonPieces) return new Reply(new JsonPieces(refusing(content.pieces)), headers, status);
  if (!(content instanceof ByteStream)) return response;
  return new Reply(new ByteStream(refusing(content.chunks), content.type), headers, status);
}

async function* refusing<Piece>(pieces: Iterable<Piece> | AsyncIterable<Piece>): AsyncGenerator<Piece> {
  try {
    yield* pieces;
  } catch (error) {
    throw toHttpError(error);
  }
}
