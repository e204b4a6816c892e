/**
 * What the yardsticks do for a call, in the least code: ids, results that are kept for 60 s under a byte cap, calls that
 * are waited for again, heartbeats, pieces of at most 4096 code points, back-pressure, idle sessions that are swept.
 */
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

type Json = Record<string, unknown>;
type Output = { text: string; reward: number | null };

type Session = { task: Json; seenAt: number; calls: number; prefix: string; minted: number };

const task = { question: '2+2', answer: '4' };
export const sessions = new Map<string, Session>();

export const create = (sid: string) =>
  sessions.set(sid, { task, seenAt: Date.now(), calls: 0, prefix: randomBytes(8).toString('hex'), minted: 0 });

const block = (text: unknown) => ({ text, detail: null, type: 'text' });
export const promptOf = ({ task }: Session) => [block(task.question)];

const tools: Record<string, (input: Json) => Output | Promise<Output> | undefined> = {
  submit: ({ answer }) => (typeof answer === 'string' ? { text: 'Correct!', reward: 1 } : undefined),
  wait: ({ seconds: s }) => (typeof s === 'number' ? sleep(s * 1000, { text: 'Waited.', reward: null }) : undefined),
  big: ({ bytes }) => (Number.isInteger(bytes) ? { text: 'x'.repeat(bytes as number), reward: null } : undefined),
};

const running = new Map<string, { sid: string; readers: ServerResponse[] }>();
const kept = new Map<string, { sid: string; json: string; until: number }>();
const open = new Map<ServerResponse, number>();
const [idleMs, keepMs, pingMs, maxKept, mostKept, batch, chunk] = [9e5, 6e4, 1e4, 64_000_000, 100_000, 65_536, 4096];
const head = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
let keptSize = 0;

/** Many at a time: a Map that loses its first entries one by one looks for the next one past all of them. */
function dropOldest(expiredAt: number): void {
  for (const [id, { json, until }] of kept) {
    if (until > expiredAt && keptSize <= 0.9 * maxKept && kept.size <= 0.9 * mostKept) return;
    kept.delete(id);
    keptSize -= json.length;
  }
}

setInterval(() => {
  const now = Date.now();
  dropOldest(now);
  for (const [sid, { seenAt, calls }] of sessions) if (calls === 0 && now - seenAt > idleMs) sessions.delete(sid);
  for (const [response, due] of open) {
    if (due > now) continue;
    response.write(': ping\n\n');
    open.set(response, now + pingMs);
  }
}, 1000);

async function sendResult(response: ServerResponse, json: string, first: string): Promise<void> {
  open.delete(response);
  let frames = response.headersSent ? '' : first;
  for (let start = 0; start < json.length; ) {
    const blank = /\s/.test(json.charAt(start));
    let end = Math.min(start + (blank ? chunk - 5 : chunk), json.length);
    if (end < json.length && (json.charCodeAt(end - 1) & 0xfc00) === 0xd800) end -= 1;
    const lead = blank ? `\\u${json.charCodeAt(start).toString(16).padStart(4, '0')}` : '';
    frames += `event: ${end < json.length ? 'chunk' : 'end'}\ndata: ${lead}${json.slice(blank ? start + 1 : start, end)}\n\n`;
    start = end;
    if (frames.length < batch || start >= json.length) continue;
    if (!response.headersSent) response.writeHead(200, head);
    if (!response.write(frames)) await new Promise((resolve) => response.once('drain', resolve));
    frames = '';
  }
  if (response.headersSent) return void response.end(frames);
  response.writeHead(200, { ...head, 'content-length': Buffer.byteLength(frames) }).write(frames);
  // All in one write, as with ours.
  response.socket?.uncork();
  response.end();
}

function hold(response: ServerResponse, first: string): void {
  response.writeHead(200, head).write(first);
  open.set(response, Date.now() + pingMs);
  response.once('close', () => open.delete(response));
}

/** Answers a call whose body is valid: runs the tool, or goes on with the call that is named. */
export function call(response: ServerResponse, sid: string, session: Session, { name, input, task_id }: Json): unknown {
  const id = String(task_id ?? session.prefix + (session.minted++).toString(16).padStart(16, '0'));
  const first = `event: task_id\ndata: ${id}\n\n`;
  if (typeof task_id === 'string') {
    const [earlier, current] = [kept.get(id), running.get(id)];
    if (earlier?.sid === sid) return sendResult(response, earlier.json, first);
    if (current?.sid !== sid)
      return response.writeHead(200, head).end(`${first}event: error\ndata: unknown task_id\n\n`);
    current.readers.push(response);
    return hold(response, first);
  }
  const finish = (output: Output | undefined, readers: ServerResponse[]) => {
    running.delete(id);
    session.calls -= 1;
    session.seenAt = Date.now();
    const told = output && { blocks: [block(output.text)], metadata: null, reward: output.reward, finished: false };
    const json = JSON.stringify(told ? { ok: true, output: told } : { ok: false, error: `No tool takes '${name}'` });
    kept.set(id, { sid, json, until: session.seenAt + keepMs });
    keptSize += json.length;
    if (keptSize > maxKept || kept.size > mostKept) dropOldest(0);
    for (const reader of readers) void sendResult(reader, json, first);
  };
  session.calls += 1;
  const output = tools[String(name)]?.(input as Json);
  const readers = [response];
  if (!(output instanceof Promise)) return finish(output, readers);
  running.set(id, { sid, readers });
  hold(response, first);
  return output.then((value) => finish(value, readers));
}
