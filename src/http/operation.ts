import type { Awaitable, JsonProblem } from '../core/index.ts';
import type { ServerSentEvent } from '../sse/index.ts';

/** Where an operation lives: one row of the generated operation table. */
export interface Route {
  readonly method: string;
  /** As in the OpenAPI document, parameters in braces. */
  readonly path: string;
}

type Optional<T> = undefined extends T ? true : false;
type Body<T> =
  NonNullable<T> extends { content: infer Media }
    ? Media extends { 'application/json': infer Json }
      ? Json
      : RawBody
    : undefined;
type Content<T> = T extends { content: infer Media } ? Media : never;
type JsonAnswer<Media> = Media extends { 'application/json': infer Body } ? Body | JsonText | JsonPieces : never;
type TextAnswer<Media> = Media extends { 'text/plain': unknown } ? PlainText : never;
type BytesAnswer<Media> = Media extends { 'application/octet-stream': unknown } ? ByteStream : never;
type StreamAnswer<Media> = Media extends { 'text/event-stream': unknown }
  ? EventStream | EventList | LateEvents
  : never;

/** A request that the OpenAPI document has accepted. */
export interface OperationRequest<Op> {
  /** The path as it came. */
  readonly url: string;
  readonly path: Op extends { parameters: { path: infer Path } } ? Path : Record<string, never>;
  /** Declared parameters of the query, numbers and truth values read as such, with their defaults. */
  readonly query: Op extends { parameters: { query?: infer Query } } ? NonNullable<Query> : Record<string, never>;
  /** Declared headers, spelled as the document spells them. */
  readonly header: Op extends { parameters: { header: infer Header } } ? Header : Record<string, never>;
  readonly body: Op extends { requestBody?: infer Given }
    ? Optional<Op['requestBody']> extends true
      ? Body<Given> | undefined
      : Body<Given>
    : undefined;
  /** What the body's JSON text says and `body` does not keep; the operation decides what to make of it. */
  readonly problems: readonly JsonProblem[];
  /** Of the body's JSON text, inflated; undefined where this server has not read one. */
  readonly bytes: number | undefined;
  /** Who asks, where the server admits only some. */
  readonly caller: string | undefined;
  /** Whether the client named this media type in `Accept`. */
  accepts(mediaType: string): boolean;
  /** Has this called when the answer is sent, or there is nobody left to answer. */
  onClose(listener: () => void): void;
}

/** Events that are sent as they come, one or several at a time. */
export type EventStream = AsyncIterable<ServerSentEvent | readonly ServerSentEvent[]>;

/** Few events that are all there already, and are sent in one piece. */
export class EventList {
  readonly events: readonly ServerSentEvent[];

  constructor(events: readonly ServerSentEvent[]) {
    this.events = events;
  }
}

/** Events that begin now and are known to go on later: until then only heartbeats are sent. */
export class LateEvents {
  readonly first: readonly ServerSentEvent[];
  readonly rest: Promise<EventList | EventStream>;

  constructor(first: readonly ServerSentEvent[], rest: Promise<EventList | EventStream>) {
    this.first = first;
    this.rest = rest;
  }
}

/** A text that is sent as it is. */
export class PlainText {
  readonly text: string;
  /** Its media type. */
  readonly type: string;

  constructor(text: string, type: string) {
    this.text = text;
    this.type = type;
  }
}

/** A JSON value that is text already, and is sent as it is. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The same in pieces, for a value that is large: each is made when it is sent, no faster than the client reads. */
export class JsonPieces {
  readonly pieces: Iterable<string> | AsyncIterable<string>;

  constructor(pieces: JsonPieces['pieces']) {
    this.pieces = pieces;
  }
}

/** All of it. */
export async function joinPieces(pieces: JsonPieces['pieces']): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

/** A body that is taken as it is. */
export class RawBody {
  readonly bytes: Uint8Array;
  /** As the client named it. */
  readonly mediaType: string;

  constructor(bytes: Uint8Array, mediaType: string) {
    this.bytes = bytes;
    this.mediaType = mediaType;
  }
}

/** Bytes that are sent as they come, no faster than the client reads. */
export class ByteStream {
  readonly chunks: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;
  /** Their media type. */
  readonly type: string;

  constructor(chunks: ByteStream['chunks'], type: string) {
    this.chunks = chunks;
    this.type = type;
  }
}

/** The content of an answer that has none. */
export const NOTHING: unique symbol = Symbol('nothing');

/** An answer with headers or a status of its own. */
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
type NoAnswer<Op> = Op extends { responses: { 204: unknown } } ? typeof NOTHING : never;
type Answer<Op> = JsonAnswer<Ok<Op>> | TextAnswer<Ok<Op>> | BytesAnswer<Ok<Op>> | StreamAnswer<Ok<Op>> | NoAnswer<Op>;

/** Carries out one operation: a plain value is sent as JSON, an async iterable as Server-Sent Events, PlainText as it is. */
export type Handler<Op, Context> = (
  request: OperationRequest<Op>,
  context: Context,
) => Awaitable<Answer<Op> | Reply<Answer<Op>>>;

/** One handler per operation of a document: leaving one out is a compile error that names it. */
export type Handlers<Operations, Context> = { readonly [Id in keyof Operations]: Handler<Operations[Id], Context> };

/** A table of handlers after its types have done their work. */
export type AnyHandlers<Context> = Readonly<
  Record<string, (request: OperationRequest<never>, context: Context) => unknown>
>;
