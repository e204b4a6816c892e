import type { Score, Trace } from '../../../generated/trace.ts';
import { atif } from './atif.ts';
import { type DocumentFormat, type ExportFormat, JSON_LINES } from './format.ts';
import { html } from './html.ts';
import { jsonl } from './jsonl.ts';
import { openai } from './openai.ts';
import { otlp } from './otlp.ts';
import { parquet } from './parquet.ts';
import { sharegpt } from './sharegpt.ts';
import { csv, type TableFormat, toTableRow } from './table.ts';

/** Formats that consist of texts of traces, by name. */
export const exportFormats = {
  jsonl,
  openai,
  sharegpt,
  atif,
  'otlp-json': otlp,
} as const satisfies Readonly<Record<string, ExportFormat>>;

/** Formats with a row for each trace, by name. */
const tableFormats = { csv, parquet } as const satisfies Readonly<Record<string, TableFormat>>;

/** Formats that are one document, by name. */
const documentFormats = { html } as const satisfies Readonly<Record<string, DocumentFormat>>;

/** Name of a format that consists of texts of traces. */
export type FormatName = keyof typeof exportFormats;
/** Name of any format. */
export type ExportFormatName = FormatName | keyof typeof tableFormats | keyof typeof documentFormats;

/** Names of all formats. The keys are names. */
export const formatNames = Object.keys({
  ...exportFormats,
  ...tableFormats,
  ...documentFormats,
}) as readonly ExportFormatName[];

const isTable = (name: ExportFormatName): name is keyof typeof tableFormats => Object.hasOwn(tableFormats, name);

const isDocument = (name: ExportFormatName): name is keyof typeof documentFormats =>
  Object.hasOwn(documentFormats, name);

/** Returns the file extension of a format and its media type. */
export function aboutFormat(name: ExportFormatName): { readonly extension: string; readonly mediaType: string } {
  if (isTable(name)) return tableFormats[name];
  if (isDocument(name)) return documentFormats[name];
  return { extension: exportFormats[name].extension, mediaType: JSON_LINES };
}

/** Reads what a format needs of a trace. */
interface TraceReaders {
  /** Writes one trace. */
  readonly textOf: (trace: Trace, format: ExportFormat) => AsyncIterable<string>;
  readonly scoresOf: (trace: Trace) => Promise<readonly Score[]>;
}

/**
 * Writes traces in a format.
 *
 * @throws MissingPackageError if the format needs a package that is not installed, before anything is read.
 */
export async function writeTraces(
  name: ExportFormatName,
  traces: AsyncIterable<Trace> | Iterable<Trace>,
  { textOf, scoresOf }: TraceReaders,
): Promise<AsyncIterable<string | Uint8Array>> {
  if (isTable(name)) return writeTable(await tableFormats[name].open(), traces, { textOf, scoresOf });
  if (isDocument(name)) return writeDocument(documentFormats[name], traces, { textOf });
  return writeTexts(traces, (trace) => textOf(trace, exportFormats[name]));
}

async function* writeDocument(
  format: DocumentFormat,
  traces: AsyncIterable<Trace> | Iterable<Trace>,
  { textOf }: Pick<TraceReaders, 'textOf'>,
): AsyncGenerator<string> {
  yield format.begin();
  yield* writeTexts(traces, (trace) => textOf(trace, format));
  yield format.end();
}

async function* writeTexts(
  traces: AsyncIterable<Trace> | Iterable<Trace>,
  textOf: (trace: Trace) => AsyncIterable<string>,
): AsyncGenerator<string> {
  for await (const trace of traces) yield* textOf(trace);
}

async function* writeTable(
  writer: Awaited<ReturnType<TableFormat['open']>>,
  traces: AsyncIterable<Trace> | Iterable<Trace>,
  { textOf, scoresOf }: TraceReaders,
): AsyncGenerator<string | Uint8Array> {
  for await (const trace of traces) {
    let example = '';
    for await (const text of textOf(trace, openai)) example += text;
    const written = writer.add(toTableRow(trace, await scoresOf(trace), example));
    if (written.length > 0) yield written;
  }
  yield writer.finish();
}
