import { createRedactor, headerSecrets, maskSpans, SECRET_MARKER, type Span } from '../../core/index.ts';
import type { ConformanceOptions } from '../options.ts';
import type { HttpHeader } from '../probe/index.ts';

/** Masks secrets and the values of the user's headers in everything that is shown or written. */
export interface ReportRedactor {
  text(text: string): string;
  /** `moved` converts an offset in the given bytes to one in the masked bytes. */
  bytes(bytes: Uint8Array): { readonly bytes: Uint8Array; readonly moved: (offset: number) => number };
  /** Header lines; the whole value of the user's own headers is masked. */
  headers(headers: readonly HttpHeader[]): HttpHeader[];
}

/** Creates the redactor of a run, for its secrets and headers. */
export function createReportRedactor({
  secrets = {},
  headers = [],
}: Pick<ConformanceOptions, 'secrets' | 'headers'>): ReportRedactor {
  const values = [...Object.values(secrets), ...headers.flatMap(([name, value]) => headerSecrets(name, value))];
  const { text } = createRedactor(values);
  // Bodies may be anything, so they are searched byte by byte.
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
function movedBy(spans: readonly Span[], offset: number): number {
  let moved = offset;
  for (const [from, to] of spans) {
    if (from >= offset) break;
    moved += SECRET_MARKER.length - (Math.min(to, offset) - from);
  }
  return moved;
}
