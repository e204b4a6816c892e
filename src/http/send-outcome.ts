import type { ServerResponse } from 'node:http';
import type { Outcome } from './pipeline.ts';
import { sendEvents } from './send-events.ts';

/** Sends what an operation came to: JSON at once, events as they come. */
export async function sendOutcome(response: ServerResponse, outcome: Outcome, heartbeatMs: number): Promise<void> {
  const { status, headers, content } = outcome;
  if ('events' in content) return sendEvents(response, content.events, { headers, heartbeatMs });
  const body = JSON.stringify(content.json);
  response.writeHead(status, {
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}
