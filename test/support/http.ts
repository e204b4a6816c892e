import { connect } from 'node:net';
import { createParser } from 'eventsource-parser';

/** HTTP response as received. */
export interface Answer {
  readonly status: number;
  /** Headers with names in lower case; repeated ones are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SentEvent {
  readonly event: string;
  readonly data: string;
}

/** Timeout of a response, longer than a busy machine needs. The error names the request, unlike that of the test. */
const DEADLINE_MS = 45_000;

/** Request that `fetch` might reject. */
export interface RawRequest {
  readonly method?: string;
  /** Request target, as in the first line. */
  readonly target?: string;
  /** Headers in order. `Host`, `Connection` and `Content-Length` are added if they are missing. */
  readonly headers?: readonly (readonly [name: string, value: string | Buffer])[];
  readonly body?: string | Buffer;
  readonly version?: string;
}

/** Sends a request over a new socket and reads the response. Rejects after a timeout. */
export function request(url: string, parts: RawRequest): Promise<Answer> {
  return exchange(url, requestBytes(url, parts));
}

/** Sends bytes and reads one response. Skips `100 Continue`, and rejects if the server closes the connection first. */
export function exchange(url: string, bytes: Buffer): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname);
    const timer = setTimeout(() => done(() => reject(new Error(`no response within ${DEADLINE_MS} ms`))), DEADLINE_MS);
    const done = (settle: () => void) => {
      clearTimeout(timer);
      socket.destroy();
      settle();
    };
    const finish = (isOver: boolean) => {
      const parsed = parseAnswer(Buffer.concat(chunks), isOver);
      if (parsed) done(() => resolve(parsed.answer));
      else if (isOver) done(() => reject(new Error(`connection closed: ${Buffer.concat(chunks).toString('latin1')}`)));
    };
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (chunk.length < 65_536) finish(false);
    });
    // A server may respond and close the connection in the middle of an upload.
    socket.on('error', () => finish(true));
    socket.on('end', () => finish(true));
    socket.write(bytes);
  });
}

export function requestBytes(
  url: string,
  { method = 'GET', target = '/', headers = [], body, version = '1.1' }: RawRequest,
): Buffer {
  const has = (name: string) => headers.some(([given]) => given.toLowerCase() === name);
  const isChunked = has('transfer-encoding');
  const all = [
    ...(has('host') ? [] : [['Host', new URL(url).host] as const]),
    ...headers,
    ...(has('connection') ? [] : [['Connection', 'close'] as const]),
    ...(body === undefined || isChunked || has('content-length')
      ? []
      : [['Content-Length', String(Buffer.byteLength(body))] as const]),
  ];
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/${version}\r\n`, 'latin1'),
    ...all.flatMap(([name, value]) => [Buffer.from(`${name}: `), Buffer.from(value), Buffer.from('\r\n')]),
    Buffer.from('\r\n'),
    Buffer.from(body ?? ''),
  ]);
}

/** Sends requests over one connection without waiting in between, and returns the responses. */
export function pipeline(url: string, requests: readonly RawRequest[]): Promise<Answer[]> {
  const { hostname, port } = new URL(url);
  const last = requests.length - 1;
  const bytes = requests.map(({ headers = [], ...parts }, index) =>
    requestBytes(url, { ...parts, headers: [...headers, ['Connection', index === last ? 'close' : 'keep-alive']] }),
  );
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(Buffer.concat(bytes)));
    socket.setTimeout(DEADLINE_MS, () => socket.destroy(new Error(`silence for ${DEADLINE_MS} ms`)));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('end', () => {
      socket.destroy();
      const answers: Answer[] = [];
      let rest: Buffer = Buffer.concat(chunks);
      for (let next = parseAnswer(rest, true); next; next = parseAnswer(rest, true)) {
        answers.push(next.answer);
        rest = next.rest;
      }
      resolve(answers);
    });
  });
}

interface Parsed {
  readonly answer: Answer;
  readonly rest: Buffer;
}

/** Parses the first final response and returns it with the rest of the bytes; undefined if it is incomplete. */
function parseAnswer(bytes: Buffer, isOver: boolean): Parsed | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(first.split(' ')[1]);
  const rest = bytes.subarray(end + 4);
  if (status === 100) return parseAnswer(rest, isOver);
  const headers = readHeaders(lines);
  const parsed = (body: Buffer, stop: number) => ({
    answer: { status, headers, body: body.toString('utf8') },
    rest: rest.subarray(stop),
  });
  if (status === 204) return parsed(Buffer.alloc(0), 0);
  const length = Number(headers['content-length']);
  if (length <= rest.length) return parsed(rest.subarray(0, length), length);
  if (headers['transfer-encoding'] === 'chunked') {
    const chunks = unchunk(rest);
    if (chunks) return parsed(chunks.body, chunks.stop);
  }
  return isOver ? parsed(rest, rest.length) : undefined;
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}

/** Decodes a chunked body. Returns undefined if it is incomplete. */
function unchunk(bytes: Buffer): { body: Buffer; stop: number } | undefined {
  const parts: Buffer[] = [];
  let at = 0;
  while (true) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16);
    const stop = end + 4 + size;
    if (Number.isNaN(size) || stop > bytes.length) return undefined;
    if (size === 0) return { body: Buffer.concat(parts), stop };
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = stop;
  }
}

/** Splits a body into chunks of `Transfer-Encoding: chunked`. */
export function chunked(body: Buffer, size = 65_536): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) {
    const part = body.subarray(at, at + size);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

/** Parses the events of a complete stream with an independent parser. */
export function readEvents(body: string): SentEvent[] {
  const events: SentEvent[] = [];
  const parser = createParser({ onEvent: ({ event = 'message', data }) => events.push({ event, data }) });
  parser.feed(body);
  return events;
}

/** Returns the result in the events of a call, or the text of its `error` event. */
export function readResult(body: string): { ok: boolean; output?: Output; error?: string } | { crashed: string } {
  const events = readEvents(body);
  const crash = events.find(({ event }) => event === 'error');
  if (crash) return { crashed: crash.data };
  return JSON.parse(events.flatMap(({ event, data }) => (event === 'task_id' ? [] : [data])).join(''));
}

interface Output {
  readonly blocks: readonly { readonly text: string }[];
  readonly reward: number | null;
  readonly finished: boolean;
}

/** Sends JSON with `fetch`, and reads the response. */
export async function send(
  url: string,
  {
    method,
    target,
    headers = {},
    body,
  }: { method: string; target: string; headers?: Record<string, string>; body?: unknown },
): Promise<Answer> {
  const response = await fetch(url + target, {
    method,
    redirect: 'manual',
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
}

/** Plays an episode of `math` from its creation to its end. Throws if a response is not as expected. */
export async function playEpisode(url: string, sid: string): Promise<void> {
  const headers = { 'X-Session-ID': sid };
  const steps: [method: string, target: string, body?: unknown][] = [
    ['GET', '/health'],
    ['POST', '/create', { env_name: 'math', split: 'train', index: 0 }],
    ['GET', '/math/prompt'],
    ['POST', '/math/call', { name: 'submit', input: { answer: '4' } }],
    ['POST', '/delete'],
  ];
  for (const [method, target, body] of steps) {
    const answer = await send(url, { method, target, headers, body });
    if (answer.status !== 200) throw new Error(`${method} ${target}: ${answer.status} ${answer.body}`);
    if (target !== '/math/call') continue;
    const result = readResult(answer.body);
    if (!('output' in result) || result.output?.reward !== 1) throw new Error(`not solved: ${answer.body}`);
  }
}
