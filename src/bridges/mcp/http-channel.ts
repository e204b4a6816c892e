import { Agent, fetch, type RequestInit, type Response } from 'undici';
import { backoffMs, onAbort, sleep, truncate, tryParseJson } from '../../core/index.ts';
import { decodeEvents } from '../../sse/index.ts';
import {
  type Channel,
  cancellation,
  HttpStatusError,
  type McpHttpLocation,
  type RpcRequestOptions,
  respondToServer,
  resultOf,
} from './channel.ts';
import {
  type ParsedMessage,
  parseMessage,
  type RpcId,
  type RpcMessage,
  type RpcRequest,
  STATELESS_REVISION,
} from './messages.ts';

/** Number of attempts in a row to continue a stream, and the time between them. */
const MAX_ATTEMPTS = 5;
const BACKOFF = { firstMs: 200, longestMs: 5_000 };
/** Time that a server has to accept a notification, and to end its session, in ms. */
const NOTIFY_MS = 30_000;
const CLOSE_MS = 2_000;
const MAX_QUOTED = 500;

/** Connects to a server over streamable HTTP. Source: Model Context Protocol, transports, "Streamable HTTP". */
export const openHttpChannel = ({ url, headers = {} }: McpHttpLocation): Channel =>
  new HttpChannel(new URL(url), headers);

class HttpChannel implements Channel {
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  /** Without timeouts, because a call may be silent for hours; the environment's server limits it. */
  readonly #agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  #session: string | undefined;
  #revision: string | undefined;

  constructor(url: URL, headers: Readonly<Record<string, string>>) {
    this.#url = url;
    this.#headers = headers;
  }

  setRevision(revision: string): void {
    this.#revision = revision;
  }

  stderrTail(): string {
    return '';
  }

  async request(message: RpcRequest, { signal, headers = {} }: RpcRequestOptions): Promise<unknown> {
    // Without sessions, the end of the connection cancels the request.
    const cancel = (reason: unknown) => {
      if (this.#revision !== STATELESS_REVISION) void this.notify(cancellation(message.id, reason));
    };
    const stopListening = onAbort(signal, cancel);
    try {
      const response = await this.#post(message, signal, headers);
      if (!response.ok) throw await this.#rejectionOf(response);
      this.#session ??= response.headers.get('mcp-session-id') ?? undefined;
      if (isEventStream(response)) return await this.#readStream(response, message.id, signal);
      return readResult(await response.text(), message.id);
    } finally {
      stopListening();
    }
  }

  /** Sends a message without a response. Failures are ignored. */
  async notify(message: RpcMessage): Promise<void> {
    try {
      const response = await this.#post(message, AbortSignal.timeout(NOTIFY_MS));
      await response.body?.cancel();
    } catch {
      // The request that needs it fails too, and has a reason.
    }
  }

  async close(): Promise<void> {
    // Some servers do not support ending a session.
    if (this.#session !== undefined) {
      await this.#send({ method: 'DELETE', signal: AbortSignal.timeout(CLOSE_MS) }).catch(() => {});
    }
    await this.#agent.destroy();
  }

  #post(message: RpcMessage, signal: AbortSignal, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const type = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    return this.#send({ method: 'POST', body: JSON.stringify(message), headers: { ...type, ...headers }, signal });
  }

  #send(init: RequestInit & { readonly headers?: Record<string, string> }): Promise<Response> {
    const headers = {
      ...this.#headers,
      ...init.headers,
      ...(this.#session !== undefined && { 'mcp-session-id': this.#session }),
      ...(this.#revision !== undefined && { 'mcp-protocol-version': this.#revision }),
    };
    return fetch(this.#url, { ...init, headers, dispatcher: this.#agent });
  }

  /** Reads events up to the response. If the connection breaks, continues after the last event that has an id. */
  async #readStream(first: Response, id: RpcId, signal: AbortSignal): Promise<unknown> {
    let open = async () => first;
    let lastEventId = '';
    for (let failures = 0; ; failures++) {
      const { found, failure } = await this.#readEvents(open, id, (eventId) => {
        failures = 0;
        lastEventId = eventId ?? lastEventId;
      });
      if (found) return resultOf(found);
      signal.throwIfAborted();
      const isRefused = failure instanceof HttpStatusError && failure.status < 500;
      const canResume = lastEventId !== '' && this.#revision !== STATELESS_REVISION;
      if (!canResume || isRefused || failures >= MAX_ATTEMPTS) throw failure;
      await sleep(backoffMs(failures, BACKOFF), signal);
      open = () => this.#resume(lastEventId, signal);
    }
  }

  async #readEvents(open: () => Promise<Response>, id: RpcId, onEvent: (eventId: string | undefined) => void) {
    try {
      const { body } = await open();
      for await (const event of decodeEvents(body ?? NO_BODY, { withIds: true })) {
        onEvent(event.id);
        const found = this.#receive(event.data, id);
        if (found) return { found };
      }
      return { failure: new Error('the event stream ended without a response') };
    } catch (failure) {
      return { failure };
    }
  }

  async #resume(lastEventId: string, signal: AbortSignal): Promise<Response> {
    const headers = { accept: 'text/event-stream', 'last-event-id': lastEventId };
    const response = await this.#send({ method: 'GET', headers, signal });
    if (response.ok) return response;
    throw new HttpStatusError(response.status, await response.text());
  }

  /** Handles a message of a stream. @returns the response with this id. Everything that is not a message is ignored. */
  #receive(data: string, id: RpcId): RpcReply | undefined {
    const parsed = parseMessage(tryParseJson(data));
    if (parsed?.kind === 'request') void this.notify(respondToServer(parsed.message));
    return parsed?.kind === 'response' && parsed.id === id ? parsed : undefined;
  }

  /** Returns the error for a response with an error status: an RpcError if the server has rejected the request itself. */
  async #rejectionOf(response: Response): Promise<Error> {
    const { status } = response;
    const body = await response.text();
    const isLost = status === 404 && this.#session !== undefined;
    const parsed = parseMessage(tryParseJson(body));
    const isRejection = status < 500 && status !== 401 && status !== 403 && !isLost;
    if (isRejection && parsed?.kind === 'response' && parsed.error) return parsed.error;
    return new HttpStatusError(status, body);
  }
}

type RpcReply = Extract<ParsedMessage, { kind: 'response' }>;

const NO_BODY: AsyncIterable<Uint8Array> = {
  async *[Symbol.asyncIterator]() {},
};

const isEventStream = ({ headers }: Response): boolean =>
  (headers.get('content-type') ?? '').toLowerCase().startsWith('text/event-stream');

/** Returns the result in a JSON body. @throws RpcError for an error; Error for a body without a response. */
function readResult(body: string, id: RpcId): unknown {
  const value = tryParseJson(body);
  const replies = (Array.isArray(value) ? value : [value]).map(parseMessage);
  for (const reply of replies) {
    // An error without an id can only belong to the one request that was sent.
    if (reply?.kind === 'response' && (reply.id === id || reply.error)) return resultOf(reply);
  }
  throw new Error(`invalid response: expected a message of JSON-RPC 2.0, got '${truncate(body, MAX_QUOTED)}'`);
}
