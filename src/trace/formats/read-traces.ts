import { readLines } from '../../core/index.ts';
import { IMPORT_LIMITS, type ImportItem, type ImportLimits, type LineImporter } from './imported.ts';
import { joinIndented } from './join-indented.ts';
import { type ParsedLine, parseLine } from './parse-line.ts';
import { AtifReader } from './read-atif.ts';
import { FirehorseReader } from './read-firehorse.ts';
import { JsonlReader } from './read-jsonl.ts';

const readers = {
  jsonl: (limits: ImportLimits): LineImporter => new JsonlReader(limits),
  atif: (): LineImporter => new AtifReader(),
  firehorse: (limits: ImportLimits): LineImporter => new FirehorseReader(limits),
} as const;

export type ImportFormat = keyof typeof readers | 'auto';

/** What one can import; `auto` is what the first line is of that belongs to one of the others. */
export const importFormats: readonly ImportFormat[] = ['auto', 'jsonl', 'atif', 'firehorse'];

/**
 * Reads traces out of text, one after the other. What cannot be read is a problem that names its line, and the rest goes
 * on. No more than one trace is in memory. An ATIF document may be one line, or lines as indented JSON has them: the
 * first `{`, the last `}`.
 *
 * @param limits default: 64 MB for a line or indented document, 512 MB for the lines of a trace together.
 */
export async function* importTracesFrom(
  text: AsyncIterable<string | Uint8Array>,
  format: ImportFormat,
  limits: ImportLimits = IMPORT_LIMITS,
): AsyncGenerator<ImportItem> {
  let reader = format === 'auto' ? undefined : readers[format](limits);
  const mayBeIndented = () => format === 'atif' || reader === undefined || reader instanceof AtifReader;
  for await (const line of joinIndented(readLines(text, limits.lineBytes), limits.lineBytes, mayBeIndented)) {
    if (line.text?.trim() === '') continue;
    const { value, reason = '' }: ParsedLine = line.text === undefined ? { reason: line.reason } : parseLine(line.text);
    if (value) reader ??= readerOf(value, limits);
    if (value && reader) yield* reader.readLine(line.number, value, line.text?.length ?? 0);
    else if (reader) yield* reader.skipLine(line.number, reason);
    else yield { line: line.number, trace_id: null, reason: reason || UNKNOWN };
  }
  if (reader) yield* reader.finish();
}

const UNKNOWN = 'the line is of no format that can be imported: jsonl, atif or firehorse';

/** By what the lines of each format always have. */
function readerOf(value: Readonly<Record<string, unknown>>, limits: ImportLimits): LineImporter | undefined {
  if ('trace' in value || 'block' in value) return readers.jsonl(limits);
  if ('schema_version' in value && 'steps' in value) return readers.atif();
  if (typeof value.type === 'string' || 'call_count' in value) return readers.firehorse(limits);
  return undefined;
}
