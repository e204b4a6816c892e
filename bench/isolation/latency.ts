import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertOk, createRepeatedCallAssertion, UnexpectedResponseError } from '../load/assertions.ts';
import { Connection, httpRequest } from '../load/connection.ts';
import { callRequest } from '../load/ors.ts';
import type { HttpResponse } from '../load/response-parser.ts';
import { runQueueMicroseconds } from '../process/proc.ts';
import type { ServerProcess } from '../process/server-process.ts';

/** Latencies of a server in milliseconds. */
export interface Latencies {
  /** Latency of each request to /health. */
  health: number[];
  /** Latency of each call in the observed session. */
  calls: number[];
  /** The longest gap in an open stream of that session. */
  gap: number;
  /** Time for which the server's thread waited for a core, per second. */
  runQueue: number;
}

/** Measures latencies while `work` runs: of /health, and of calls and an open stream in a session. */
export async function measureLatencies(
  { port, pid }: ServerProcess,
  sid: string,
  seconds: number,
  work: () => Promise<void>,
): Promise<Latencies> {
  const waitedBefore = runQueueMicroseconds(pid);
  const stream = openLongCall(port, sid, 'wait', seconds + 0.2);
  await Promise.race([stream.started, stream.longestGap]);
  const call = callRequest(sid, 'submit', { answer: '4' });
  const [health, calls, gap] = await Promise.all([
    sendAtConstantRate(port, seconds, httpRequest('GET', '/health'), (response) => assertOk(response, 'health')),
    sendAtConstantRate(port, seconds, call, createRepeatedCallAssertion('Correct!', 1)),
    stream.longestGap,
    work(),
  ]);
  const runQueue = (runQueueMicroseconds(pid) - waitedBefore) / 1000 / seconds;
  return { health, calls, gap, runQueue };
}

/** A call that takes seconds. */
export interface LongCall {
  /** Resolves when the stream has started. */
  readonly started: Promise<unknown>;
  /** Resolves at the end of the stream to the longest time without data, in milliseconds. */
  readonly longestGap: Promise<number>;
}

/** Calls a tool that takes `seconds`, and reads its stream as it arrives. */
export function openLongCall(port: number, sid: string, name: string, seconds: number): LongCall {
  const headers = { 'X-Session-ID': sid, 'Content-Type': 'application/json' };
  const sent = request({ host: '127.0.0.1', port, method: 'POST', path: '/bench/call', headers, agent: false });
  const started = once(sent, 'response');
  sent.end(JSON.stringify({ name, input: { seconds } }));
  return { started, longestGap: readToEnd(name, sent, started) };
}

async function readToEnd(name: string, sent: ClientRequest, started: Promise<unknown[]>): Promise<number> {
  let lastAt = performance.now();
  let longest = 0;
  let body = '';
  const [response] = (await started) as [IncomingMessage];
  for await (const part of response.setEncoding('utf8')) {
    const now = performance.now();
    longest = Math.max(longest, now - lastAt);
    lastAt = now;
    body += part;
  }
  sent.destroy();
  if (!body.includes('event: end\n')) throw new UnexpectedResponseError(`${name}: the stream was ${body}`);
  return longest;
}

const INTERVAL_MS = 20;

/**
 * Sends a request every 20 ms, even if earlier ones are pending: a server that stalls delays all requests of that time
 * instead of one (no coordinated omission).
 *
 * @returns the latency of each request in milliseconds.
 */
async function sendAtConstantRate(
  port: number,
  seconds: number,
  request: string,
  assertResponse: (response: HttpResponse) => void,
): Promise<number[]> {
  const all: Connection[] = [];
  const idle: Connection[] = [];
  const open = async () => {
    const connection = await Connection.open(port);
    all.push(connection);
    return connection;
  };
  const from = performance.now();
  const send = async (index: number) => {
    await sleep(Math.max(0, from + index * INTERVAL_MS - performance.now()));
    const sentAt = performance.now();
    const connection = idle.pop() ?? (await open());
    const response = await connection.send(request);
    const latency = performance.now() - sentAt;
    idle.push(connection);
    assertResponse(response);
    return latency;
  };
  try {
    return await Promise.all(Array.from({ length: (seconds * 1000) / INTERVAL_MS }, (_, index) => send(index)));
  } finally {
    for (const connection of all) connection.close();
  }
}
