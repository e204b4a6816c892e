import { type Line, readLines } from '../../core/index.ts';
import { IMPORT_LIMITS, type ImportItem, type ImportLimits, type LineImporter, parseLine } from './imported.ts';
import { JsonlReader } from './jsonl.ts';
import { atifImporter } from './read-atif.ts';
import { FirehorseReader } from './read-firehorse.ts';

const readers = {
  jsonl: (limits: ImportLimits): LineImporter => new JsonlReader(limits),
  atif: (): LineImporter => atifImporter,
  firehorse: (limits: ImportLimits): LineImporter => new FirehorseReader(limits),
} as const;

export type ImportFormat = keyof typeof readers | 'auto';

/** Import formats; `auto` detects the format from the first line that belongs to one. */
export const importFormats: readonly ImportFormat[] = ['auto', 'jsonl', 'atif', 'firehorse'];

/**
 * Reads traces from text, one at a time. Unreadable lines are reported and do not stop the import. At most one trace is in
 * memory. An ATIF document can be one line, or indented JSON from a line `{` to a line `}`.
 *
 * @param limits 64 MB for a line or indented document, and 512 MB for the lines of a trace by default.
 */
export async function* importTracesFrom(
  text: AsyncIterable<string | Uint8Array>,
  format: ImportFormat,
  limits: ImportLimits = IMPORT_LIMITS,
): AsyncGenerator<ImportItem> {
  let reader = format === 'auto' ? undefined : readers[format](limits);
  const mayBeIndented = () => format === 'atif' || reader === undefined || reader === atifImporter;
  for await (const line of joinIndented(readLines(text, limits.lineBytes), limits.lineBytes, mayBeIndented)) {
    if (line.text?.trim() === '') continue;
    const { value, reason = '' } = line.text === undefined ? { reason: line.reason } : parseLine(line.text);
    if (value) reader ??= readerOf(value, limits);
    if (value && reader) yield* reader.readLine(line.number, value, line.text?.length ?? 0);
    else if (reader?.skipLine) yield* reader.skipLine(line.number, reason);
    else yield { line: line.number, trace_id: null, reason: reason || UNKNOWN };
  }
  if (reader?.finish) yield* reader.finish();
}

const UNKNOWN = 'the line is not of a known format: jsonl, atif or firehorse';

/** Detects the format from fields that its lines always have. */
function readerOf(value: Readonly<Record<string, unknown>>, limits: ImportLimits): LineImporter | undefined {
  if ('trace' in value || 'block' in value) return readers.jsonl(limits);
  if ('schema_version' in value && 'steps' in value) return readers.atif();
  // package.json has a type too.
  const isEvent = typeof value.type === 'string' && value.type !== 'module' && value.type !== 'commonjs';
  if (isEvent || 'call_count' in value) return readers.firehorse(limits);
  return undefined;
}

interface OpenDocument {
  readonly number: number;
  texts: string[];
  size: number;
  reason?: string;
}

/**
 * Joins the lines of indented JSON documents: a line `{`, lines that start with white space, a line `}`. Other lines are
 * passed through; inside of a document, such a line ends it, so that it is broken.
 *
 * @param isAllowed returns false if a document cannot start here; a line `{` is then an ordinary line.
 */
async function* joinIndented(
  lines: AsyncIterable<Line>,
  maxSize: number,
  isAllowed: () => boolean,
): AsyncGenerator<Line> {
  let open: OpenDocument | undefined;
  for await (const line of lines) {
    if (!open && line.text?.trimEnd() === '{' && isAllowed()) open = { number: line.number, texts: ['{'], size: 1 };
    else if (!open) yield line;
    else if (line.text === undefined) open.reason ??= `${line.reason} (line ${line.number})`;
    else {
      const isEnd = line.text.trimEnd() === '}';
      const isPart = isEnd || /^\s|^$/.test(line.text);
      if (isPart) add(open, line.text, maxSize);
      if (isPart && !isEnd) continue;
      yield close(open);
      open = undefined;
      if (!isPart) yield line;
    }
  }
  if (open) yield close(open);
}

function add(open: OpenDocument, text: string, maxSize: number): void {
  open.size += text.length + 1;
  if (open.size > maxSize) open.reason ??= `the document is longer than ${maxSize} bytes`;
  if (open.reason === undefined) open.texts.push(text);
  else open.texts = [];
}

const close = ({ number, texts, reason }: OpenDocument): Line =>
  reason === undefined ? { number, text: texts.join('\n') } : { number, reason };
