import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { WrongAnswer } from '../load/answers.ts';

/** A call of many seconds. */
export interface HeldCall {
  /** Its stream has begun. */
  readonly begun: Promise<unknown>;
  /** Resolves at the end of its stream to the longest time, in milliseconds, in which nothing came. */
  readonly longestSilence: Promise<number>;
}

/** Calls a tool that takes a number of seconds, and reads its stream as it comes. */
export function holdCall(port: number, sid: string, name: string, seconds: number): HeldCall {
  const headers = { 'X-Session-ID': sid, 'Content-Type': 'application/json' };
  const sent = request({ host: '127.0.0.1', port, method: 'POST', path: '/bench/call', headers, agent: false });
  const begun = once(sent, 'response');
  sent.end(JSON.stringify({ name, input: { seconds } }));
  return { begun, longestSilence: readToEnd(name, sent, begun) };
}

async function readToEnd(name: string, sent: ClientRequest, begun: Promise<unknown[]>): Promise<number> {
  let at = performance.now();
  let longest = 0;
  let body = '';
  const [response] = (await begun) as [IncomingMessage];
  for await (const part of response.setEncoding('utf8')) {
    const now = performance.now();
    longest = Math.max(longest, now - at);
    at = now;
    body += part;
  }
  sent.destroy();
  if (!body.includes('event: end\n')) throw new WrongAnswer(`${name}: the stream was ${body}`);
  return longest;
}
