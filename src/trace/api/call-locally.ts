import type { OperationId } from '../../../generated/trace-api-operations.ts';
import {
  failure,
  type HttpResponse,
  jsonValue,
  type OperationRequest,
  type Pipeline,
  RawBody,
} from '../../http/index.ts';
import { describeFailure } from './describe-failure.ts';

/** A request that comes from this process and not over HTTP. */
export interface LocalRequest {
  readonly path: Readonly<Record<string, string | undefined>>;
  /** As the document types it. */
  readonly query?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** JSON text, or bytes of the media type. */
  readonly body?: string | Uint8Array | undefined;
  readonly mediaType?: string | undefined;
}

export interface LocalResponse {
  readonly status: number;
  /** Parsed JSON, or bytes. */
  readonly value: unknown;
}

export type LocalCall = (operation: OperationId, request: LocalRequest) => Promise<LocalResponse>;

/**
 * Carries requests of this process into the pipeline, past HTTP and its keys. What fails while an answer is read is the
 * answer, since nothing of it was given yet.
 *
 * @param onError told of every error that is not meant for who asks.
 */
export const createLocalCall =
  (pipeline: Pipeline, onError: (error: unknown) => void): LocalCall =>
  async (operation, { path, query = {}, body, mediaType }) => {
    const request: Omit<OperationRequest<never>, 'path' | 'query' | 'header' | 'body'> = {
      url: '',
      problems: [],
      bytes: undefined,
      caller: undefined,
      accepts: () => false,
      onClose: () => {},
    };
    const parsed = typeof body === 'string' ? JSON.parse(body) : body && new RawBody(body, mediaType ?? '');
    const whole = { ...request, path, query, header: {}, body: parsed };
    const { status, content } = await pipeline(operation, whole as unknown as OperationRequest<never>);
    try {
      return { status, value: await read(content) };
    } catch (error) {
      const late = failure(error, onError, undefined, describeFailure);
      return { status: late.status, value: await read(late.content) };
    }
  };

const read = (content: HttpResponse['content']): Promise<unknown> =>
  'bytes' in content && content.bytes ? collect(content.bytes.chunks) : jsonValue(content);

async function collect(
  chunks: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return Buffer.concat(parts);
}
