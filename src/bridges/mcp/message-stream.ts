import type { ServerResponse } from 'node:http';
import { wellFormedJson } from '../../core/index.ts';
import { HEARTBEAT_MS } from '../../protocol/index.ts';
import { encodeEvent, HEARTBEAT_COMMENT } from '../../sse/index.ts';
import type { RpcMessage, RpcResponse } from './messages.ts';

/** Response to the requests of one HTTP request. */
export interface RpcReply {
  send(message: RpcMessage): void;
  /** Ends the response. Cancelled requests have no message in it. */
  end(): void;
}

/** Creates a JSON response, which has no place for notifications. */
export function createJsonReply(
  response: ServerResponse,
  isBatch: boolean,
  statusOf = (_reply: RpcResponse) => 200,
): RpcReply {
  const replies: RpcResponse[] = [];
  return {
    send(message) {
      if (!('method' in message)) replies.push(message);
    },
    end() {
      const [first] = replies;
      // The only request was cancelled.
      if (!first) return void response.writeHead(202).end();
      const body = wellFormedJson(isBatch ? replies : first);
      response.writeHead(isBatch ? 200 : statusOf(first), { 'content-type': 'application/json' }).end(body);
    },
  };
}

/**
 * Event stream of messages. With an id, its events have ids too, and a client whose connection broke can continue after
 * the last event that it received. Source: Model Context Protocol 2025-11-25, transports, "Resumability and Redelivery".
 */
export class MessageStream implements RpcReply {
  readonly #id: string | undefined;
  readonly #onEnd: () => void;
  /** Events so far, encoded; only kept if the stream can be continued. */
  readonly #events: string[] = [];
  #response: ServerResponse | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #isEnded = false;

  /** @param onEnd called when the stream ends. */
  constructor({ id, onEnd = () => {} }: { readonly id?: string; readonly onEnd?: () => void } = {}) {
    this.#id = id;
    this.#onEnd = onEnd;
  }

  /** Sends an event without a message, whose id lets the client continue even before the first message. */
  prime(): void {
    this.#push('');
  }

  send(message: RpcMessage): void {
    this.#push(wellFormedJson(message));
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#detach()?.end();
    this.#onEnd();
  }

  /** Sends the events from this number on, those that follow too, and ends the response with the stream. */
  open(response: ServerResponse, from = 0): void {
    // The client has given up the connection before.
    this.#detach()?.end();
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      // Proxies such as nginx would buffer the events.
      'x-accel-buffering': 'no',
    });
    response.flushHeaders();
    for (const event of this.#events.slice(from)) response.write(event);
    if (this.#isEnded) return void response.end();
    this.#response = response;
    this.#heartbeat = setInterval(() => response.write(HEARTBEAT_COMMENT), HEARTBEAT_MS).unref();
    response.once('close', () => {
      if (this.#response === response) this.#detach();
    });
  }

  #push(data: string): void {
    const id = this.#id === undefined ? {} : { id: `${this.#id}-${this.#events.length}` };
    const event = encodeEvent({ event: 'message', data, ...id });
    if (this.#id !== undefined) this.#events.push(event);
    this.#response?.write(event);
  }

  #detach(): ServerResponse | undefined {
    const response = this.#response;
    clearInterval(this.#heartbeat);
    this.#response = undefined;
    return response;
  }
}

/** Splits the id of an event into the id of its stream and its number; undefined for an id of another form. */
export function parseEventId(id: string): { readonly stream: string; readonly number: number } | undefined {
  const [, stream, number] = /^(\d+)-(\d+)$/.exec(id) ?? [];
  return stream === undefined ? undefined : { stream, number: Number(number) };
}
