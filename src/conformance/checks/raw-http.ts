import type { Probe, RawConnection } from '../probe/index.ts';

const WAIT_MS = 10_000;

/** Sends a request without a body on a new connection; the path is not normalized. Status 0 means no HTTP response. */
export async function sendText(probe: Probe, method: string, path: string) {
  const connection = probe.openRaw(probe.textOf(method, path, { headers: [['Connection', 'close']] }));
  const { failure = 'the connection was closed' } = await connection.closed(WAIT_MS);
  const [response] = parseHttpResponses(connection.bytes);
  if (!response) return { status: 0, body: '', summary: `no response (${failure})` };
  return { status: response.status, body: response.body, summary: String(response.status) };
}

/** A response in the bytes of a connection. */
export interface RawHttpResponse {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** The end has arrived, according to its headers. */
  readonly isComplete: boolean;
}

/** Parses the responses on a connection, up to the first bytes that are not HTTP. */
export function parseHttpResponses(bytes: Buffer): RawHttpResponse[] {
  const responses: RawHttpResponse[] = [];
  let rest = bytes.toString('latin1');
  while (rest !== '') {
    const head = /^HTTP\/1\.[01] (\d{3})[^\r\n]*\r?\n([\s\S]*?\r?\n)??\r?\n/.exec(rest);
    if (!head) return responses;
    const status = Number(head[1]);
    const headers = fields(head[2] ?? '');
    const { body, length, isComplete } = bodyOf(rest.slice(head[0].length), status, headers);
    responses.push({ status, headers, body: Buffer.from(body, 'latin1').toString('utf8'), isComplete });
    if (!isComplete) return responses;
    rest = rest.slice(head[0].length + length);
  }
  return responses;
}

function fields(text: string): Map<string, string> {
  const lines = [...text.matchAll(/^([^:\r\n]+):(.*?)\r?$/gm)];
  return new Map(lines.map(([, name = '', value = '']) => [name.toLowerCase(), value.trim()]));
}

interface ParsedHttpBody {
  readonly body: string;
  /** Number of characters in the text. */
  readonly length: number;
  readonly isComplete: boolean;
}

function bodyOf(text: string, status: number, headers: ReadonlyMap<string, string>): ParsedHttpBody {
  if (status < 200 || status === 204 || status === 304) return { body: '', length: 0, isComplete: true };
  if (headers.get('transfer-encoding')?.toLowerCase().endsWith('chunked')) return chunked(text);
  const length = Number(headers.get('content-length') ?? Number.NaN);
  if (Number.isNaN(length)) return { body: text, length: text.length, isComplete: false };
  return { body: text.slice(0, length), length, isComplete: text.length >= length };
}

function chunked(text: string): ParsedHttpBody {
  let body = '';
  let at = 0;
  while (true) {
    const lineEnd = text.indexOf('\n', at);
    const size = Number.parseInt(text.slice(at, lineEnd), 16);
    if (lineEnd < 0 || Number.isNaN(size)) return { body, length: at, isComplete: false };
    const start = lineEnd + 1;
    if (size === 0) {
      const end = /^(?:[^\r\n]+\r?\n)*\r?\n/.exec(text.slice(start));
      return { body, length: start + (end?.[0].length ?? 0), isComplete: end !== null };
    }
    body += text.slice(start, start + size);
    at = start + size;
    at += text.startsWith('\r\n', at) ? 2 : 1;
    if (at > text.length) return { body, length: at, isComplete: false };
  }
}

/** Resolves with the first response on a connection, other than 100 Continue; undefined if there is none in time. */
export async function firstResponse(connection: RawConnection, waitMs: number): Promise<RawHttpResponse | undefined> {
  const find = () => parseHttpResponses(connection.bytes).find(({ status }) => status >= 200);
  await connection.waitUntil(() => find() !== undefined, waitMs);
  return find();
}
