import type { BlockId, BlockInput, TraceId, TraceInput } from '../../../generated/trace.ts';

/** What an import found: a trace, or why there is none. */
export type ImportItem = ImportedTrace | ImportProblem;

/** A trace that may be written. Each block is valid by itself; sizes and links are left to the store. */
export interface ImportedTrace {
  /** Where it begins, from 1. */
  readonly line: number;
  readonly trace: TraceInput & { readonly id: TraceId };
  readonly blocks: readonly BlockInput[];
  /** The line of each block, where every block has one of its own. */
  readonly lines?: readonly number[];
  readonly reason?: never;
}

/** Something that could not be read: a line, a block of a trace whose others are given, or a trace with all of its blocks. */
export interface ImportProblem {
  /** From 1. */
  readonly line: number;
  /** Null where that is not known. */
  readonly trace_id: TraceId | null;
  /** Of the block that could not be read, where that is known. */
  readonly block_id?: BlockId;
  readonly reason: string;
  readonly trace?: never;
  readonly blocks?: never;
}

/** Turns the lines of one format into traces. */
export interface LineImporter {
  /** One line that is a JSON object; `size` is its length. */
  readonly readLine: (line: number, value: Readonly<Record<string, unknown>>, size: number) => Iterable<ImportItem>;
  /** A line that is none. */
  readonly skipLine: (line: number, reason: string) => Iterable<ImportItem>;
  /** There are no more lines. */
  readonly finish: () => Iterable<ImportItem>;
}

/** How much of an import is held in memory. */
export interface ImportLimits {
  /** Bytes of one line, or UTF-16 units where the input is text. */
  readonly lineBytes: number;
  /** The lines of one trace together. */
  readonly traceBytes: number;
}

const MB = 1024 * 1024;

export const IMPORT_LIMITS: ImportLimits = { lineBytes: 64 * MB, traceBytes: 512 * MB };
