import type { EvidenceBody, EvidenceExchange, EvidencePiece } from '../../../generated/conformance-results.ts';
import type { Exchange, HttpHeader, ReceivedChunk } from '../probe/index.ts';
import type { CheckState } from '../result.ts';
import { curlLine } from './curl.ts';
import type { ReportRedactor } from './redact.ts';

const KIB = 1_024;
/** What is kept of a check that passed, and of all others. */
const OF_A_PASS = { exchanges: 5, bodyBytes: 2 * KIB };
const OF_OTHERS = { exchanges: Infinity, bodyBytes: 64 * KIB };
/** A stream that drips has no more arrival times than these. */
const MAX_CHUNKS = 500;

/** The exchanges of a check as a report keeps them. */
export function toEvidence(
  { state, exchanges }: { readonly state: CheckState; readonly exchanges: readonly Exchange[] },
  redactor: ReportRedactor,
  { keepAll, curlOptions }: { readonly keepAll: boolean; readonly curlOptions: readonly string[] },
): { readonly exchanges: EvidenceExchange[]; readonly exchanges_left_out: number } {
  const keep = state === 'pass' && !keepAll ? OF_A_PASS : OF_OTHERS;
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
    let [received, before] = [0, 0];
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

/** The beginning of bytes, cut between characters if they are text. */
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
