import type { Awaitable, JsonProblem } from '../core/index.ts';
import type { ServerSentEvent } from '../sse/index.ts';

type Optional<T> = undefined extends T ? true : false;
type Body<T> =
  NonNullable<T> extends { content: infer Media }
    ? Media extends { 'application/json': infer Json }
      ? keyof Media extends 'application/json'
        ? Json
        : RawBody
      : RawBody
    : undefined;
type Content<T> = T extends { content: infer Media } ? Media : never;
type JsonResult<Media> = Media extends { 'application/json': infer Body } ? Body | JsonText | JsonPieces : never;
type TextResult<Media> = Media extends { 'text/plain': unknown } ? PlainText : never;
type BytesResult<Media> = Media extends
  | { 'application/x-ndjson': unknown }
  | { 'application/x-protobuf': unknown }
  | { '*/*': unknown }
  ? ByteStream
  : never;
type StreamResult<Media> = Media extends { 'text/event-stream': unknown }
  ? EventStream | EventList | LateEvents
  : never;

/**
 * Request that is valid by the OpenAPI document, as handlers receive it.
 *
 * @example
 * const splitOf = ({ body }: OperationRequest<operations['countTasks']>) => body.split;
 */
export interface OperationRequest<Op> {
  /** Path as received. */
  readonly url: string;
  readonly path: Op extends { parameters: { path: infer Path } } ? Path : Record<string, never>;
  /** Declared query parameters as strings, numbers and booleans, with their defaults. */
  readonly query: Op extends { parameters: { query?: infer Query } } ? NonNullable<Query> : Record<string, never>;
  /** Declared headers, spelled as in the document. */
  readonly header: Op extends { parameters: { header: infer Header } } ? Header : Record<string, never>;
  readonly body: Op extends { requestBody?: infer Given }
    ? Optional<Op['requestBody']> extends true
      ? Body<Given> | undefined
      : Body<Given>
    : undefined;
  /** Parts of the JSON text that `body` cannot represent; the operation decides how to handle them. */
  readonly problems: readonly JsonProblem[];
  /** Size of the JSON text after decompression; undefined if this server has not read one. */
  readonly bytes: number | undefined;
  /** Name of the authenticated caller; undefined on servers without authentication. */
  readonly caller: string | undefined;
  /** Returns true if `Accept` ranks a media type above another one, by quality and order. Both in lower case. */
  prefers(mediaType: string, other: string): boolean;
  /** Returns a header that the document does not declare. @param name in lower case. */
  headerOf(name: string): string | undefined;
  /** Calls back when the response is sent or the client has disconnected. */
  onClose(listener: () => void): void;
}

/** Events that are sent as they arrive, one or several at a time. */
export type EventStream = AsyncIterable<ServerSentEvent | readonly ServerSentEvent[]>;

/** Events that are complete, sent in one write. */
export class EventList {
  readonly events: readonly ServerSentEvent[];

  constructor(events: readonly ServerSentEvent[]) {
    this.events = events;
  }
}

/** First events of a stream whose rest comes later; heartbeats are sent in between. */
export class LateEvents {
  readonly first: readonly ServerSentEvent[];
  readonly rest: Promise<EventList | EventStream>;

  constructor(first: readonly ServerSentEvent[], rest: Promise<EventList | EventStream>) {
    this.first = first;
    this.rest = rest;
  }
}

/** Text response. */
export class PlainText {
  readonly text: string;
  /** Media type. */
  readonly type: string;

  constructor(text: string, type: string) {
    this.text = text;
    this.type = type;
  }
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** JSON response that is already serialized. */
export class JsonText extends PlainText {
  constructor(text: string) {
    super(text, JSON_TYPE);
  }
}

/** Large JSON response in pieces, each produced when it is sent, with back-pressure. */
export class JsonPieces {
  readonly pieces: Iterable<string> | AsyncIterable<string>;

  constructor(pieces: JsonPieces['pieces']) {
    this.pieces = pieces;
  }
}

/** Joins the pieces. */
export async function joinPieces(pieces: JsonPieces['pieces']): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

/** Media type of bytes that were sent without a Content-Type. */
export const UNKNOWN_MEDIA_TYPE = 'application/octet-stream';

/** Request body as bytes. */
export class RawBody {
  readonly bytes: Uint8Array;
  /** Media type as sent by the client. */
  readonly mediaType: string;

  constructor(bytes: Uint8Array, mediaType: string) {
    this.bytes = bytes;
    this.mediaType = mediaType;
  }
}

/** Response that is streamed as bytes, with back-pressure. */
export class ByteStream {
  readonly chunks: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;
  /** Media type. */
  readonly type: string;

  constructor(chunks: ByteStream['chunks'], type: string) {
    this.chunks = chunks;
    this.type = type;
  }
}

/** Content of a response without a body. */
export const NOTHING: unique symbol = Symbol('nothing');

/** Result of a handler that sets headers or the status. */
export class Reply<T> {
  readonly content: T;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;

  constructor(content: T, headers: Readonly<Record<string, string>> = {}, status = 200) {
    this.content = content;
    this.headers = headers;
    this.status = status;
  }
}

type Ok<Op> = Op extends { responses: infer Responses } ? Content<Responses[keyof Responses & (200 | 201)]> : never;
type NoContent<Op> = Op extends { responses: { 204: unknown } } ? typeof NOTHING : never;
type Result<Op> = JsonResult<Ok<Op>> | TextResult<Ok<Op>> | BytesResult<Ok<Op>> | StreamResult<Ok<Op>> | NoContent<Op>;

/**
 * Handles one operation. A plain value is sent as JSON, an async iterable as Server-Sent Events.
 *
 * @example
 * const version: Handler<operations['version'], ServerContext> = () => ({ name: 'mine', version: '1.0.0' });
 */
export type Handler<Op, Context> = (
  request: OperationRequest<Op>,
  context: Context,
) => Awaitable<Result<Op> | Reply<Result<Op>>>;

/**
 * One handler per operation of a document; a missing one is a compile error that names it.
 *
 * @example
 * const handlers: Handlers<operations, ServerContext> = operationHandlers;
 */
export type Handlers<Operations, Context> = { readonly [Id in keyof Operations]: Handler<Operations[Id], Context> };

/** Table of handlers whose types have been checked. */
export type AnyHandlers<Context> = Readonly<
  Record<string, (request: OperationRequest<never>, context: Context) => unknown>
>;
