/**
 * The yardstick: the least code on bare `node:http` that does the work of an ORS server on the routes that are
 * measured. It validates bodies, mints ids, keeps results for 60 s under a byte cap, sends heartbeats, cuts results
 * into pieces of at most 4096 code points, honours back-pressure and sweeps idle sessions.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

type Json = Record<string, unknown>;
type Output = { text: string; reward: number | null };

const task = { question: '2+2', answer: '4' };
const tools: Record<string, (input: Json) => Output | Promise<Output> | undefined> = {
  submit: ({ answer }) => (typeof answer === 'string' ? { text: 'Correct!', reward: 1 } : undefined),
  wait: ({ seconds }) =>
    typeof seconds === 'number'
      ? new Promise((done) => setTimeout(done, seconds * 1000, { text: 'Waited.', reward: null }))
      : undefined,
  big: ({ bytes }) => (Number.isInteger(bytes) ? { text: 'x'.repeat(bytes as number), reward: null } : undefined),
};

const sessions = new Map<string, { task: Json; seenAt: number; calls: number; prefix: string; minted: number }>();
const kept = new Map<string, { sid: string; json: string; until: number }>();
const open = new Map<ServerResponse, number>();
const [idleMs, keepMs, pingMs] = [900_000, 60_000, 10_000];
const [maxBody, maxKept, batch, chunk] = [32_000_000, 64_000_000, 65_536, 4096];
let keptSize = 0;

function dropOldest(expiredAt: number): void {
  for (const [id, { json, until }] of kept) {
    if (until > expiredAt && keptSize <= maxKept) return;
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

function answer(response: ServerResponse, status: number, value: unknown): unknown {
  const json = JSON.stringify(value);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) });
  return response.end(json);
}

async function sendResult(response: ServerResponse, json: string): Promise<void> {
  open.delete(response);
  let frames = '';
  for (let start = 0; start < json.length; ) {
    const blank = /\s/.test(json.charAt(start));
    let end = Math.min(start + (blank ? chunk - 5 : chunk), json.length);
    if (end < json.length && (json.charCodeAt(end - 1) & 0xfc00) === 0xd800) end -= 1;
    const lead = blank ? `\\u${json.charCodeAt(start).toString(16).padStart(4, '0')}` : '';
    frames += `event: ${end < json.length ? 'chunk' : 'end'}\ndata: ${lead}${json.slice(blank ? start + 1 : start, end)}\n\n`;
    start = end;
    if (frames.length < batch || start >= json.length) continue;
    const flushed = response.write(frames);
    frames = '';
    if (!flushed) await new Promise((resolve) => response.once('drain', resolve));
  }
  response.end(frames);
}

function call(response: ServerResponse, sid: string, { name, input, task_id, ...rest }: Json): unknown {
  const session = sessions.get(sid);
  if (session === undefined) return answer(response, 404, { detail: 'Session not found' });
  const isInput = typeof input === 'object' && input !== null && !Array.isArray(input);
  const fits = isInput && typeof name === 'string' && typeof (task_id ?? '') === 'string';
  if (!fits || Object.keys(rest).length > 0) {
    return answer(response, 400, { detail: 'The body must be {name, input, task_id?}' });
  }
  const id = String(task_id ?? session.prefix + (session.minted++).toString(16).padStart(16, '0'));
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  response.write(`event: task_id\ndata: ${id}\n\n`);
  if (typeof task_id === 'string') {
    const earlier = kept.get(task_id);
    if (earlier?.sid === sid) return sendResult(response, earlier.json);
    return response.end('event: error\ndata: unknown task_id\n\n');
  }
  const finish = (output: Output | undefined) => {
    session.calls -= 1;
    session.seenAt = Date.now();
    const block = { text: output?.text, detail: null, type: 'text' };
    const json = JSON.stringify(
      output === undefined
        ? { ok: false, error: `Tool '${name}' failed: no such tool or invalid input` }
        : { ok: true, output: { blocks: [block], metadata: null, reward: output.reward, finished: false } },
    );
    kept.set(id, { sid, json, until: session.seenAt + keepMs });
    keptSize += json.length;
    if (keptSize > maxKept) dropOldest(0);
    void sendResult(response, json);
  };
  session.calls += 1;
  const output = tools[name]?.(input as Json);
  if (!(output instanceof Promise)) return finish(output);
  open.set(response, Date.now() + pingMs);
  response.once('close', () => open.delete(response));
  return output.then(finish);
}

function route(request: IncomingMessage, response: ServerResponse, body: Json): unknown {
  const sid = request.headers['x-session-id'];
  if (request.url === '/health') return answer(response, 200, { status: 'ok' });
  if (request.url === '/create_session') return answer(response, 200, { sid: randomUUID() });
  if (typeof sid !== 'string') return answer(response, 400, { detail: 'X-Session-ID header is required' });
  if (request.url === '/bench/call') return call(response, sid, body);
  if (request.url === '/create') {
    if (sessions.has(sid)) return answer(response, 400, { detail: 'Session already exists' });
    if (body.split !== 'test' || body.index !== 0) return answer(response, 400, { detail: 'Invalid split or index' });
    sessions.set(sid, { task, seenAt: Date.now(), calls: 0, prefix: randomBytes(8).toString('hex'), minted: 0 });
    return answer(response, 200, { sid });
  }
  const session = sessions.get(sid);
  if (session === undefined) return answer(response, 404, { detail: 'Session not found' });
  session.seenAt = Date.now();
  const prompt = [{ text: session.task.question, detail: null, type: 'text' }];
  if (request.url === '/bench/prompt') return answer(response, 200, prompt);
  if (request.url !== '/delete') return answer(response, 404, { detail: `No route ${request.url}` });
  sessions.delete(sid);
  return answer(response, 200, { sid });
}

createServer((request, response) => {
  const parts: Buffer[] = [];
  let size = 0;
  request.on('data', (part: Buffer) => {
    size += part.length;
    if (size <= maxBody) parts.push(part);
  });
  request.on('end', () => {
    if (size > maxBody) return answer(response, 413, { detail: 'Too large' });
    let body: unknown = {};
    try {
      if (size > 0) body = JSON.parse(parts.length === 1 ? String(parts[0]) : Buffer.concat(parts).toString());
    } catch {
      body = undefined;
    }
    const isObject = typeof body === 'object' && body !== null;
    return isObject ? route(request, response, body as Json) : answer(response, 400, { detail: 'Not a JSON object' });
  });
}).listen(Number(process.env.PORT), '127.0.0.1', 4096);
