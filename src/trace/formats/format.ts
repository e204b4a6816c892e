import type { Trace } from '../../../generated/trace.ts';
import type { Batches, TraceReader } from '../model/index.ts';
import { writeJson } from './streamed-json.ts';

/** One trace, as an export reads it. */
export interface TraceSource {
  readonly trace: Trace;
  /** The JSON of its blocks as they are stored, in the order in which they were written; asked for once. */
  readonly texts: () => Batches<string>;
  /** With everything in its place that was too large for a block, in any order; asked for once. */
  readonly restored: () => Promise<TraceReader>;
  /** The bytes of an image that a message refers to by its hash; undefined where they are not stored. */
  readonly blob: (sha256: string) => Promise<StoredImage | undefined>;
}

export interface StoredImage {
  readonly media_type: string;
  readonly data: Uint8Array;
}

/** A way to write traces as text; several are written one after the other. */
export interface ExportFormat {
  readonly name: string;
  /** Media type of the text. */
  readonly mediaType: string;
  /** How names of such files end, without the first dot. */
  readonly extension: string;
  /** Whole lines, each ended by a line feed, in pieces. */
  readonly write: (source: TraceSource) => AsyncIterable<string>;
}

/** A value as one line of JSON Lines. */
export const toJsonLine = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** The same for a value that is streamed. */
export async function* streamJsonLine(value: unknown): AsyncGenerator<string> {
  yield* writeJson(value);
  yield '\n';
}

export const JSON_LINES = 'application/x-ndjson';
