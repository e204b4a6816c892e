import type { OperationId } from '../../../generated/trace-api-operations.ts';
import { parseExactJson } from '../../core/index.ts';
import {
  ByteStream,
  failure,
  jsonValue,
  OpenResponses,
  type OperationRequest,
  type Pipeline,
  RawBody,
} from '../../http/index.ts';
import { readTraceLimits, type TraceLimits } from '../model/index.ts';
import type { TraceStore } from '../store/index.ts';
import { createTracePipeline } from './create-handler.ts';
import { describeFailure } from './errors.ts';
import { createRolloutReceiver } from './rollout-receiver.ts';
import { createSpanReceiver } from './span-receiver.ts';

/** The default of `TraceApiOptions.gapMs`. */
const GAP_MS = 60_000;

/**
 * Calls operations on a store that a server may use at the same time. Unlike `createTraceApi`, it does not write messages
 * that the server still waits for.
 *
 * @throws RangeError for an invalid LIMIT_... environment variable.
 */
export function createStoreCall(
  store: TraceStore,
  onError: (error: unknown) => void,
): { readonly call: LocalCall; readonly limits: TraceLimits } {
  const limits = readTraceLimits(process.env);
  const context = {
    store,
    limits,
    rolloutReceiver: createRolloutReceiver(store, limits, GAP_MS, onError),
    spanReceiver: createSpanReceiver(store, limits),
    metrics: undefined,
    descriptors: undefined,
    openResponses: new OpenResponses(),
  };
  return { call: createLocalCall(createTracePipeline(context, onError), onError), limits };
}

/** A request of this process, without HTTP. */
interface LocalRequest {
  readonly path: Readonly<Record<string, string | undefined>>;
  /** Query parameters, parsed. */
  readonly query?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** JSON text, or bytes of `mediaType`. */
  readonly body?: string | Uint8Array | undefined;
  readonly mediaType?: string | undefined;
}

interface LocalResponse {
  readonly status: number;
  /** Parsed JSON, or bytes. */
  readonly value: unknown;
}

export type LocalCall = (operation: OperationId, request: LocalRequest) => Promise<LocalResponse>;

/**
 * Calls the pipeline without HTTP and keys. An error while a streamed response is read becomes the response.
 *
 * @param onError receives internal errors.
 */
export const createLocalCall =
  (pipeline: Pipeline, onError: (error: unknown) => void): LocalCall =>
  async (operation, { path, query = {}, body, mediaType }) => {
    const request: Omit<OperationRequest<never>, 'path' | 'query' | 'header' | 'body'> = {
      url: '',
      problems: [],
      bytes: undefined,
      caller: undefined,
      prefers: () => false,
      headerOf: () => undefined,
      onClose: () => {},
    };
    const parsed = typeof body === 'string' ? parseExactJson(body) : body && new RawBody(body, mediaType ?? '');
    const typed = { ...request, path, query, header: {}, body: parsed };
    const { status, content } = await pipeline(operation, typed as unknown as OperationRequest<never>);
    try {
      return { status, value: await read(content) };
    } catch (error) {
      const late = failure(error, onError, undefined, describeFailure);
      return { status: late.status, value: await read(late.content) };
    }
  };

const read = (content: unknown): Promise<unknown> =>
  content instanceof ByteStream ? collect(content.chunks) : jsonValue(content);

async function collect(chunks: ByteStream['chunks']): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return Buffer.concat(parts);
}
