import type { ServerResponse } from 'node:http';
import { failure, type Outcome } from './pipeline.ts';
import { sendEvents } from './send-events.ts';

export interface SendOptions {
  readonly heartbeatMs: number;
  /** Told of what went wrong after the pipeline. */
  readonly onError: (error: unknown) => void;
}

/** Sends what an operation came to: JSON at once, events as they come. An answer that has begun can only be cut. */
export async function sendOutcome(response: ServerResponse, outcome: Outcome, options: SendOptions): Promise<void> {
  const { headers, content } = outcome;
  try {
    if ('json' in content) sendJson(response, outcome, content.json);
    else await sendEvents(response, content.events, { headers, heartbeatMs: options.heartbeatMs });
  } catch (error) {
    const { status, headers, content } = failure(error, options.onError);
    if (response.headersSent) response.destroy();
    else if ('json' in content) sendJson(response, { status, headers }, content.json);
  }
}

function sendJson(response: ServerResponse, { status, headers }: Pick<Outcome, 'status' | 'headers'>, json: unknown) {
  const body = JSON.stringify(json);
  response.writeHead(status, {
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}
