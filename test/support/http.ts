import { connect } from 'node:net';
import { createParser } from 'eventsource-parser';

/** A response as it came over the wire. */
export interface Answer {
  readonly status: number;
  /** Names in lower case; repeated ones joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SentEvent {
  readonly event: string;
  readonly data: string;
}

/** For a server that hangs, so that the error names the request. Longer than a busy machine needs. */
const DEADLINE_MS = 45_000;

/** One request, with whatever `fetch` would refuse to send. */
export interface RawRequest {
  readonly method?: string;
  /** The request target, as it is written in the first line. */
  readonly target?: string;
  /** As they are to stand on the wire, in their order; `Host`, `Connection` and `Content-Length` are added if they are missing. */
  readonly headers?: readonly (readonly [name: string, value: string | Buffer])[];
  readonly body?: string | Buffer;
  readonly version?: string;
}

/** Sends a request over a new socket and reads the answer; rejects if that takes too long. */
export function request(url: string, parts: RawRequest): Promise<Answer> {
  return exchange(url, requestBytes(url, parts));
}

/** Sends bytes as they are and reads one answer. A `100 Continue` is skipped; a server that hangs up first is an error. */
export function exchange(url: string, bytes: Buffer): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname);
    const timer = setTimeout(() => done(() => reject(new Error(`no answer within ${DEADLINE_MS} ms`))), DEADLINE_MS);
    const done = (settle: () => void) => {
      clearTimeout(timer);
      socket.destroy();
      settle();
    };
    const finish = (isOver: boolean) => {
      const parsed = parseAnswer(Buffer.concat(chunks), isOver);
      if (parsed) done(() => resolve(parsed.answer));
      else if (isOver) done(() => reject(new Error(`the server hung up: ${Buffer.concat(chunks).toString('latin1')}`)));
    };
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (chunk.length < 65_536) finish(false);
    });
    // Half of an upload may be refused; the answer counts, if there is one.
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

/** Sends requests over one connection without waiting in between, and returns the answers. */
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

/** The first final answer in what came so far, if it is complete, and what follows it. */
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

/** Takes apart `Transfer-Encoding: chunked`; undefined if the end has not come. */
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

/** The events of a stream that has ended, read by a parser that is not ours. */
export function readEvents(body: string): SentEvent[] {
  const events: SentEvent[] = [];
  const parser = createParser({ onEvent: ({ event = 'message', data }) => events.push({ event, data }) });
  parser.feed(body);
  return events;
}

/** The result that a call's events make together, or the text of its `error` event. */
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

/** Sends JSON by `fetch`, and reads the answer. */
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

/** Plays an episode of `math` from its creation to its end; throws where the server does not do as it should. */
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
