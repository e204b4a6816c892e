/**
 * The work of the baseline servers, in as little code as possible: ids, a result cache of 60 s with a byte limit,
 * reconnecting to calls, heartbeats, chunks of at most 4096 code units, back-pressure, and an idle timeout of sessions.
 */
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

type Json = Record<string, unknown>;
type Output = { text: string; reward: number | null };

type Session = { task: Json; seenAt: number; calls: number; prefix: string; issued: number };

const task = { question: '2+2', answer: '4' };
export const sessions = new Map<string, Session>();

export const create = (sid: string) =>
  sessions.set(sid, { task, seenAt: Date.now(), calls: 0, prefix: randomBytes(8).toString('hex'), issued: 0 });

const block = (text: unknown) => ({ text, detail: null, type: 'text' });
export const promptOf = ({ task }: Session) => [block(task.question)];

const tools: Record<string, (input: Json) => Output | Promise<Output> | undefined> = {
  submit: ({ answer }) => (typeof answer === 'string' ? { text: 'Correct!', reward: 1 } : undefined),
  wait: ({ seconds: s }) => (typeof s === 'number' ? sleep(s * 1000, { text: 'Waited.', reward: null }) : undefined),
  big: ({ bytes }) => (Number.isInteger(bytes) ? { text: 'x'.repeat(bytes as number), reward: null } : undefined),
};

const IDLE_MS = 900_000;
const CACHE_MS = 60_000;
const HEARTBEAT_MS = 10_000;
const MAX_CACHED_BYTES = 64_000_000;
const MAX_CACHED = 100_000;
const WRITE_SIZE = 65_536;
const CHUNK_SIZE = 4096;

const running = new Map<string, { sid: string; readers: ServerResponse[] }>();
const cache = new Map<string, { sid: string; json: string; until: number }>();
/** Open streams, with the times of their next heartbeats. */
const streams = new Map<ServerResponse, number>();
const head = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
let cachedBytes = 0;

/** Evicts results in batches: a Map that loses its first entries one by one searches past all of them for the next. */
function evict(expiredAt: number): void {
  for (const [id, { json, until }] of cache) {
    if (until > expiredAt && cachedBytes <= 0.9 * MAX_CACHED_BYTES && cache.size <= 0.9 * MAX_CACHED) return;
    cache.delete(id);
    cachedBytes -= json.length;
  }
}

setInterval(() => {
  const now = Date.now();
  evict(now);
  for (const [sid, { seenAt, calls }] of sessions) if (calls === 0 && now - seenAt > IDLE_MS) sessions.delete(sid);
  for (const [response, due] of streams) {
    if (due > now) continue;
    response.write(': ping\n\n');
    streams.set(response, now + HEARTBEAT_MS);
  }
}, 1000);

async function sendResult(response: ServerResponse, json: string, first: string): Promise<void> {
  streams.delete(response);
  let frames = response.headersSent ? '' : first;
  for (let start = 0; start < json.length; ) {
    const blank = /\s/.test(json.charAt(start));
    let end = Math.min(start + (blank ? CHUNK_SIZE - 5 : CHUNK_SIZE), json.length);
    if (end < json.length && (json.charCodeAt(end - 1) & 0xfc00) === 0xd800) end -= 1;
    const lead = blank ? `\\u${json.charCodeAt(start).toString(16).padStart(4, '0')}` : '';
    frames += `event: ${end < json.length ? 'chunk' : 'end'}\ndata: ${lead}${json.slice(blank ? start + 1 : start, end)}\n\n`;
    start = end;
    if (frames.length < WRITE_SIZE || start >= json.length) continue;
    if (!response.headersSent) response.writeHead(200, head);
    if (!response.write(frames)) await new Promise((resolve) => response.once('drain', resolve));
    frames = '';
  }
  if (response.headersSent) return void response.end(frames);
  response.writeHead(200, { ...head, 'content-length': Buffer.byteLength(frames) }).write(frames);
  // Sends headers and body in one write, like our server.
  response.socket?.uncork();
  response.end();
}

function openStream(response: ServerResponse, first: string): void {
  response.writeHead(200, head).write(first);
  streams.set(response, Date.now() + HEARTBEAT_MS);
  response.once('close', () => streams.delete(response));
}

/** Handles a call with a valid body: runs the tool, or reconnects to the call of the given task_id. */
export function call(response: ServerResponse, sid: string, session: Session, { name, input, task_id }: Json): unknown {
  const id = String(task_id ?? session.prefix + (session.issued++).toString(16).padStart(16, '0'));
  const first = `event: task_id\ndata: ${id}\n\n`;
  if (typeof task_id === 'string') {
    const cached = cache.get(id);
    if (cached?.sid === sid) return sendResult(response, cached.json, first);
    const current = running.get(id);
    if (current?.sid !== sid)
      return response.writeHead(200, head).end(`${first}event: error\ndata: unknown task_id\n\n`);
    current.readers.push(response);
    return openStream(response, first);
  }
  const finish = (output: Output | undefined, readers: ServerResponse[]) => {
    running.delete(id);
    session.calls -= 1;
    session.seenAt = Date.now();
    const body = output && { blocks: [block(output.text)], metadata: null, reward: output.reward, finished: false };
    const json = JSON.stringify(
      body ? { ok: true, output: body } : { ok: false, error: `Unknown tool or invalid input: '${name}'` },
    );
    cache.set(id, { sid, json, until: session.seenAt + CACHE_MS });
    cachedBytes += json.length;
    if (cachedBytes > MAX_CACHED_BYTES || cache.size > MAX_CACHED) evict(0);
    for (const reader of readers) void sendResult(reader, json, first);
  };
  session.calls += 1;
  const output = tools[String(name)]?.(input as Json);
  const readers = [response];
  if (!(output instanceof Promise)) return finish(output, readers);
  running.set(id, { sid, readers });
  openStream(response, first);
  return output.then((value) => finish(value, readers));
}
