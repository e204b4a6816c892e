import type { ServerResponse } from 'node:http';
import { type Awaitable, isPromiseLike } from '../core/index.ts';
import type { DescribeFailure } from './http-error.ts';
import { limitLastStall } from './limit-stall.ts';
import { ByteStream, EventList } from './operation.ts';
import { failure, type Outcome } from './pipeline.ts';
import { rawHeaders } from './raw-headers.ts';
import { sendBytes } from './send-bytes.ts';
import { type SendEventsOptions, sendEventList, sendEvents } from './send-events.ts';
import { sendWhole } from './send-whole.ts';

export interface SendOptions extends SendEventsOptions {
  /** Told of what went wrong after the pipeline. */
  readonly onError: (error: unknown) => void;
  readonly describeFailure?: DescribeFailure;
}

/**
 * Sends what an operation came to: JSON at once, events as they come. An answer that has begun can only be cut. What waits
 * for the end of a stream holds nothing of the outcome.
 */
export function sendOutcome(response: ServerResponse, outcome: Outcome, options: SendOptions): Awaitable<void> {
  let sending: Awaitable<void>;
  try {
    sending = send(response, outcome, options);
  } catch (error) {
    return sendFailure(response, error, options);
  }
  return isPromiseLike(sending) ? endOf(sending, response, options) : limitLastStall(response, options);
}

const endOf = (sending: Promise<void>, response: ServerResponse, options: SendOptions): Promise<void> =>
  sending.then(
    () => limitLastStall(response, options),
    (error) => sendFailure(response, error, options),
  );

function sendFailure(response: ServerResponse, error: unknown, options: SendOptions): void {
  const { status, headers, content } = failure(error, options.onError, undefined, options.describeFailure);
  if (response.headersSent) response.destroy();
  else if ('json' in content) sendJson(response, { status, headers }, JSON.stringify(content.json));
}

function send(response: ServerResponse, outcome: Outcome, options: SendOptions): Awaitable<void> {
  const { headers, content } = outcome;
  if ('json' in content) return sendJson(response, outcome, JSON.stringify(content.json));
  if ('jsonText' in content) return sendJson(response, outcome, content.jsonText);
  if ('jsonPieces' in content)
    return sendBytes(response, outcome, new ByteStream(content.jsonPieces, JSON_TYPE), options);
  if ('text' in content) return sendText(response, outcome, content.text.text, content.text.type);
  if ('bytes' in content) return sendBytes(response, outcome, content.bytes, options);
  if (content.events instanceof EventList) return sendEventList(response, content.events, headers, options);
  return sendEvents(response, content.events, headers, options);
}

const JSON_TYPE = 'application/json; charset=utf-8';

type Head = Pick<Outcome, 'status' | 'headers'>;

function sendJson(response: ServerResponse, head: Head, json: string): void {
  sendText(response, head, json, JSON_TYPE);
}

function sendText(response: ServerResponse, { status, headers }: Head, body: string, type: string): void {
  const own = ['Content-Type', type, 'Content-Length', `${Buffer.byteLength(body)}`];
  sendWhole(response, status, rawHeaders(own, headers), body);
}
