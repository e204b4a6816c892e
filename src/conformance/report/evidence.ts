import type { EvidenceBody, EvidenceExchange, EvidencePiece } from '../../../generated/conformance-results.ts';
import {
  bareHost,
  createRedactor,
  headerSecrets,
  maskSpans,
  SECRET_MARKER,
  shellQuote,
  type TextSpan,
} from '../../core/index.ts';
import type { ConformanceOptions } from '../options.ts';
import type { Exchange, HttpHeader, ReceivedChunk } from '../probe/index.ts';
import type { CheckState } from '../result.ts';

const KIB = 1_024;
/** Limits of the evidence of passed checks, and of all others. */
const PASS_LIMITS = { exchanges: 5, bodyBytes: 2 * KIB };
const DEFAULT_LIMITS = { exchanges: Infinity, bodyBytes: 64 * KIB };
/** Maximum number of arrival times per stream. */
const MAX_CHUNKS = 500;

/** Converts the exchanges of a check to the form of reports. */
export function toEvidence(
  { state, exchanges }: { readonly state: CheckState; readonly exchanges: readonly Exchange[] },
  redactor: ReportRedactor,
  { keepAll, curlOptions }: { readonly keepAll: boolean; readonly curlOptions: readonly string[] },
): { readonly exchanges: EvidenceExchange[]; readonly exchanges_left_out: number } {
  const keep = state === 'pass' && !keepAll ? PASS_LIMITS : DEFAULT_LIMITS;
  const kept = exchanges.slice(Math.max(0, exchanges.length - keep.exchanges));
  return {
    exchanges: kept.map((exchange) => {
      const shown = evidence(exchange, keep.bodyBytes, redactor);
      return { ...shown, curl: curlLine(shown, curlOptions) };
    }),
    exchanges_left_out: exchanges.length - kept.length,
  };
}

function evidence(exchange: Exchange, bodyBytes: number, redactor: ReportRedactor): Omit<EvidenceExchange, 'curl'> {
  const { number, method, requestHeaders, requestBody, sentAt, status, responseHeaders, headAt, endedAt } = exchange;
  const request = {
    method,
    url: redactor.text(exchange.url),
    request_headers: lines(requestHeaders, redactor),
    request_body: requestBody && requestBody.length > 0 ? bodyOf(requestBody, bodyBytes, redactor).body : null,
  };
  const { body, piecesOf } = bodyOf(Buffer.concat(exchange.chunks.map(({ bytes }) => bytes)), bodyBytes, redactor);
  return {
    number,
    ...request,
    sent_at_ms: tenths(sentAt),
    status: status ?? null,
    response_headers: lines(responseHeaders, redactor),
    response_body: body,
    pieces: piecesOf(exchange.chunks),
    head_at_ms: headAt === undefined ? null : tenths(headAt),
    ended_at_ms: endedAt === undefined ? null : tenths(endedAt),
    failure: exchange.failure === undefined ? null : redactor.text(exchange.failure),
  };
}

const tenths = (ms: number): number => Math.max(0, Math.round(ms * 10) / 10);

const lines = (headers: readonly HttpHeader[], redactor: ReportRedactor) =>
  redactor.headers(headers).map(([name, value]) => ({ name, value }));

function bodyOf(whole: Uint8Array, max: number, redactor: ReportRedactor) {
  const { bytes, moved } = redactor.bytes(whole);
  const { kept, text } = beginning(bytes, max);
  const body: EvidenceBody = {
    encoding: text === undefined ? 'base64' : 'utf-8',
    content: text ?? Buffer.from(kept).toString('base64'),
    length: whole.length,
    is_cut: kept.length < bytes.length,
  };
  const piecesOf = (pieces: readonly ReceivedChunk[]): EvidencePiece[] => {
    const all: EvidencePiece[] = [];
    let received = 0;
    let before = 0;
    for (const { at, bytes: part } of pieces) {
      received += part.length;
      const end = Math.min(moved(received), kept.length);
      const last = all.at(-1);
      if (last && all.length >= MAX_CHUNKS) last.bytes += end - before;
      else if (end > before || part.length === 0) all.push({ at_ms: tenths(at), bytes: end - before });
      before = end;
    }
    return all;
  };
  return { body, piecesOf };
}

/** Returns the start of bytes; UTF-8 text is cut between characters. */
function beginning(bytes: Uint8Array, max: number): { kept: Uint8Array; text: string | undefined } {
  const isCut = bytes.length > max;
  const kept = bytes.subarray(0, max);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(kept, { stream: isCut });
    return { kept: kept.subarray(0, Buffer.byteLength(text)), text };
  } catch {
    return { kept, text: undefined };
  }
}

/**
 * Masks secrets and the values of the user's headers.
 *
 * @example
 * const redactor: ReportRedactor = createReportRedactor({ secrets: { KEY: 'sk-12345678' } });
 * redactor.headers([['X-Echo', 'sk-12345678']]); // [['X-Echo', '[secret]']]
 */
export interface ReportRedactor {
  /** Masks the secrets of a text. */
  text(text: string): string;
  /** Masks the secrets of bytes. */
  bytes(bytes: Uint8Array): {
    readonly bytes: Uint8Array;
    /** Converts an offset in the original bytes to one in the masked ones. */
    readonly moved: (offset: number) => number;
  };
  /** Masks header lines; values of the user's own headers completely. */
  headers(headers: readonly HttpHeader[]): HttpHeader[];
}

/**
 * Creates the redactor of a run, for its secrets and headers.
 *
 * @example
 * const { text } = createReportRedactor({ secrets: { KEY: 'sk-12345678' } });
 * text('the key is sk-12345678'); // 'the key is [secret]'
 */
export function createReportRedactor({
  secrets = {},
  headers = [],
}: Pick<ConformanceOptions, 'secrets' | 'headers'>): ReportRedactor {
  const values = [...Object.values(secrets), ...headers.flatMap(([name, value]) => headerSecrets(name, value))];
  const { text } = createRedactor(values);
  // Bodies need not be text, so they are searched as latin1.
  const { find } = createRedactor([...values, ...values.map((value) => Buffer.from(value).toString('latin1'))]);
  const hiddenNames = new Set(headers.map(([name]) => name.toLowerCase()));
  if (Object.keys(secrets).length > 0) hiddenNames.add('x-secrets');
  return {
    text,
    bytes(plain) {
      const latin1 = Buffer.from(plain).toString('latin1');
      const spans = find(latin1);
      if (spans.length === 0) return { bytes: plain, moved: (offset) => offset };
      return { bytes: Buffer.from(maskSpans(latin1, spans), 'latin1'), moved: (offset) => movedBy(spans, offset) };
    },
    headers: (lines) =>
      lines.map(
        ([name, value]) => [text(name), hiddenNames.has(name.toLowerCase()) ? SECRET_MARKER : text(value)] as const,
      ),
  };
}

/** Converts an offset; one within a span becomes the end of its marker. */
function movedBy(spans: readonly TextSpan[], offset: number): number {
  let moved = offset;
  for (const [from, to] of spans) {
    if (from >= offset) break;
    moved += SECRET_MARKER.length - (Math.min(to, offset) - from);
  }
  return moved;
}

/** Maximum length of a body in a command line. */
const MAX_BODY_LENGTH = 8_192;

/**
 * Returns a command line for bash or zsh that sends the same request; null if the body is too long or not text.
 *
 * @param options options of curl that are necessary to reach the server
 */
export function curlLine(
  exchange: Pick<EvidenceExchange, 'method' | 'url' | 'request_headers' | 'request_body'>,
  options: readonly string[] = [],
): string | null {
  const { method, url, request_headers: headers, request_body: body } = exchange;
  if (body && (body.is_cut || body.content.length > MAX_BODY_LENGTH)) return null;
  if (method === 'RAW') return rawLine(url, body);
  // Arguments of curl are text, and end at a zero byte.
  if (body && (body.encoding === 'base64' || body.content.includes('\0'))) return null;
  const words = ['curl', '-sSi', '-N', ...options.map(shellQuote)];
  if (/[[\]{}]/.test(url)) words.push('-g');
  if (/\/\.\.?(\/|$|\?)/.test(url)) words.push('--path-as-is');
  if (method === 'HEAD') words.push('--head');
  else if (method !== 'GET' || body) words.push('-X', shellQuote(method));
  words.push(shellQuote(url));
  for (const { name, value } of headers) words.push('-H', shellQuote(value === '' ? `${name};` : `${name}: ${value}`));
  if (body && body.content !== '') {
    // By default, curl sends every body as a form.
    if (!headers.some(({ name }) => name.toLowerCase() === 'content-type'))
      words.push('-H', shellQuote('Content-Type:'));
    words.push('--data-raw', shellQuote(body.content));
  }
  return words.join(' ');
}

/** Returns a command line that writes bytes to a new connection. */
function rawLine(address: string, body: EvidenceBody | null): string | null {
  const { protocol, hostname, port } = new URL(address);
  if (protocol !== 'http:' || !body) return null;
  const bytes = Buffer.from(body.content, body.encoding === 'base64' ? 'base64' : 'utf8');
  const written = [...bytes].map((byte) =>
    byte >= 0x20 && byte < 0x7f && !"\\'%".includes(String.fromCharCode(byte))
      ? String.fromCharCode(byte)
      : `\\${byte.toString(8).padStart(3, '0')}`,
  );
  return `printf '${written.join('')}' | nc ${shellQuote(bareHost(hostname))} ${port || '80'}`;
}
