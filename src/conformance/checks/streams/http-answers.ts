import type { RawConnection } from '../../probe/index.ts';

/** One answer out of the bytes of a connection. */
export interface RawHttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** Its end has arrived, as far as its own headers tell. */
  readonly isComplete: boolean;
}

/** Takes apart what came back on a connection; stops at what is no HTTP answer. */
export function parseHttpResponses(bytes: Buffer): RawHttpResponse[] {
  const answers: RawHttpResponse[] = [];
  let rest = bytes.toString('latin1');
  while (rest !== '') {
    const head = /^HTTP\/1\.[01] (\d{3})[^\r\n]*\r?\n([\s\S]*?\r?\n)??\r?\n/.exec(rest);
    if (!head) return answers;
    const status = Number(head[1]);
    const headers = fields(head[2] ?? '');
    const { body, length, isComplete } = bodyOf(rest.slice(head[0].length), status, headers);
    answers.push({ status, headers, body: Buffer.from(body, 'latin1').toString('utf8'), isComplete: isComplete });
    if (!isComplete) return answers;
    rest = rest.slice(head[0].length + length);
  }
  return answers;
}

function fields(text: string): Map<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => line.includes(':'));
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

interface ParsedHttpBody {
  readonly body: string;
  /** How many characters it takes in the text. */
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
  let [body, at] = ['', 0];
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

/** The first answer on a connection that is more than 100 Continue. */
export async function firstResponse(connection: RawConnection, waitMs: number): Promise<RawHttpResponse | undefined> {
  const find = () => parseHttpResponses(connection.bytes).find(({ status }) => status >= 200);
  await connection.waitUntil(() => find() !== undefined, waitMs);
  return find();
}
