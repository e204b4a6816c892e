import type { Score, Trace } from '../../../generated/trace.ts';
import { stringifyJson, wellFormedJson } from '../../core/index.ts';
import type { Batches, TraceReader } from '../model/index.ts';
import { COMPACT, writeJson } from './streamed-json.ts';

/** A trace that is exported. */
export interface TraceSource {
  readonly trace: Trace;
  /** JSON of the stored blocks in the order of writing; called once. */
  readonly texts: () => Batches<string>;
  /** Reader with split and offloaded values restored; called once. */
  readonly restored: () => Promise<TraceReader>;
  /** Reads an image by its SHA-256; undefined if it is not stored. */
  readonly blob: (sha256: string) => Promise<StoredImage | undefined>;
  /** Reads the scores of the trace and its blocks. @default none */
  readonly scores?: () => Promise<readonly Score[]>;
}

export interface StoredImage {
  readonly media_type: string;
  readonly data: Uint8Array;
}

/** A text format for traces, in JSON Lines. A file contains the texts of its traces one after the other. */
export interface ExportFormat {
  /** File extension, without the first dot. */
  readonly extension: string;
  /** Yields the text of a trace in pieces; it consists of complete lines. */
  readonly write: (source: TraceSource) => AsyncIterable<string>;
}

/** A text format that is one document, with a part for each trace. */
export interface DocumentFormat extends ExportFormat {
  readonly mediaType: string;
  readonly begin: () => string;
  readonly end: () => string;
}

/** Returns a value as one line of JSON Lines. */
export const toJsonLine = (value: unknown): string => `${stringifyJson(value)}\n`;

/** Like `toJsonLine`, for a streamed value. */
export async function* streamJsonLine(value: unknown): AsyncGenerator<string> {
  yield* writeJson(value);
  yield '\n';
}

/** Like `streamJsonLine`, without lone surrogates, which readers such as Arrow reject with the whole file. */
export async function* streamWellFormedLine(value: unknown): AsyncGenerator<string> {
  yield* writeJson(value, { ...COMPACT, toJson: wellFormedJson });
  yield '\n';
}

/** Media type of all formats. */
export const JSON_LINES = 'application/x-ndjson';
