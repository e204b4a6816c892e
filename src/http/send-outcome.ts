import type { ServerResponse } from 'node:http';
import type { DescribeFailure } from './http-error.ts';
import { limitLastStall } from './limit-stall.ts';
import { failure, type Outcome } from './pipeline.ts';
import { sendBytes } from './send-bytes.ts';
import { type SendEventsOptions, sendEvents } from './send-events.ts';

export interface SendOptions extends SendEventsOptions {
  /** Told of what went wrong after the pipeline. */
  readonly onError: (error: unknown) => void;
  readonly describeFailure?: DescribeFailure;
}

/** Sends what an operation came to: JSON at once, events as they come. An answer that has begun can only be cut. */
export async function sendOutcome(response: ServerResponse, outcome: Outcome, options: SendOptions): Promise<void> {
  const { headers, content } = outcome;
  try {
    if ('json' in content) sendJson(response, outcome, JSON.stringify(content.json));
    else if ('jsonText' in content) sendJson(response, outcome, content.jsonText);
    else if ('text' in content) sendText(response, outcome, content.text.text, content.text.type);
    else if ('bytes' in content) await sendBytes(response, outcome, content.bytes, options);
    else await sendEvents(response, content.events, headers, options);
    limitLastStall(response, options);
  } catch (error) {
    const { status, headers, content } = failure(error, options.onError, undefined, options.describeFailure);
    if (response.headersSent) response.destroy();
    else if ('json' in content) sendJson(response, { status, headers }, JSON.stringify(content.json));
  }
}

type Head = Pick<Outcome, 'status' | 'headers'>;

function sendJson(response: ServerResponse, head: Head, json: string): void {
  sendText(response, head, json, 'application/json; charset=utf-8');
}

function sendText(response: ServerResponse, { status, headers }: Head, body: string, type: string): void {
  response.writeHead(status, { ...headers, 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}
