import type { BlockInput, ScoreInput } from '../../../generated/trace.ts';
import { validators } from '../../../generated/trace-validators.ts';
import { isRecord } from '../../core/index.ts';
import { BLOCK_ID, TRACE_ID, toBatchIterable } from '../model/index.ts';
import { type ExportFormat, toJsonLine } from './format.ts';
import {
  type ImportedTrace,
  type ImportItem,
  type ImportLimits,
  type LineImporter,
  storedToTraceInput,
  toBlockInput,
} from './imported.ts';

/**
 * Complete traces: a line `{"trace": ...}`, then a line `{"block": ...}` for each block in order, and a line
 * `{"score": ...}` for each score. An import restores ids
 * and content; times, counters and the metadata of the store are new. Blobs are not included, only their hashes.
 */
export const jsonl: ExportFormat = {
  extension: 'jsonl',
  async *write({ trace, texts, scores }) {
    yield toJsonLine({ trace });
    for await (const list of toBatchIterable(texts())) yield list.map((block) => `{"block":${block}}\n`).join('');
    for (const score of (await scores?.()) ?? []) yield toJsonLine({ score });
  },
};

interface OpenTrace {
  readonly line: number;
  readonly trace: ImportedTrace['trace'];
  readonly blocks: BlockInput[];
  readonly lines: number[];
  readonly scores: ScoreInput[];
  /** `block_count` of the exported trace; null if missing. */
  readonly expected: number | null;
  size: number;
}

/**
 * Reads the format `jsonl`. Unreadable lines are reported, and the trace is imported with its other blocks; if it has fewer
 * than its `block_count`, that is reported too. Blocks of an invalid trace are skipped.
 */
export class JsonlReader implements LineImporter {
  readonly #limits: ImportLimits;
  #open: OpenTrace | undefined;
  /** True while blocks belong to a trace that was rejected. */
  #isRejected = false;

  constructor(limits: ImportLimits) {
    this.#limits = limits;
  }

  *readLine(line: number, value: Readonly<Record<string, unknown>>, size: number): Generator<ImportItem> {
    const [[key, content] = [], ...others] = Object.entries(value);
    if (others.length === 0 && key === 'trace') {
      yield* this.finish();
      yield* this.#begin(line, content, size);
    } else if (others.length === 0 && key === 'block') yield* this.#add(line, content, size);
    else if (others.length === 0 && key === 'score') yield* this.#addScore(line, content);
    else yield* this.skipLine(line, 'the line must be an object with one key, trace, block or score');
  }

  /** Reports a line; it counts as a block of the open trace unless that is complete. */
  *skipLine(line: number, reason: string): Generator<ImportItem> {
    const expected = this.#open?.expected ?? null;
    if (expected !== null && (this.#open?.blocks.length ?? 0) >= expected) yield* this.finish();
    yield { line, trace_id: this.#open?.trace.id ?? null, reason };
  }

  *finish(): Generator<ImportItem> {
    const open = this.#open;
    this.#open = undefined;
    this.#isRejected = false;
    if (!open) return;
    const { line, trace, blocks, lines, scores, expected } = open;
    yield { line, trace, blocks, lines, scores };
    if (expected === null || blocks.length >= expected) return;
    yield { line, trace_id: trace.id, reason: `only ${blocks.length} of its ${expected} blocks could be read` };
  }

  *#begin(line: number, content: unknown, size: number): Generator<ImportItem> {
    const { value: trace, reason } = storedToTraceInput(content);
    if (reason !== undefined) {
      this.#isRejected = true;
      yield { line, trace_id: idIn(content, TRACE_ID) ?? null, reason };
      return;
    }
    const count = isRecord(content) ? content.block_count : undefined;
    this.#open = {
      line,
      trace,
      blocks: [],
      lines: [],
      scores: [],
      expected: typeof count === 'number' ? count : null,
      size,
    };
  }

  *#addScore(line: number, content: unknown): Generator<ImportItem> {
    const open = this.#open;
    if (!open) {
      if (!this.#isRejected) yield { line, trace_id: null, reason: 'the score has no trace before it' };
      return;
    }
    // The time is that of the import.
    const { created_at: _, ...score } = isRecord(content) ? content : {};
    const trace_id = open.trace.id;
    if (validators.ScoreInput(score) && score.trace_id === trace_id) open.scores.push(score as unknown as ScoreInput);
    else yield { line, trace_id, reason: 'the score is not valid, or belongs to another trace' };
  }

  *#add(line: number, content: unknown, size: number): Generator<ImportItem> {
    const open = this.#open;
    if (!open) {
      if (!this.#isRejected) yield { line, trace_id: null, reason: 'the block has no trace before it' };
      return;
    }
    const { value: block, reason } = toBlockInput(content, open.trace.id);
    open.size += size;
    const trace_id = open.trace.id;
    if (reason !== undefined) {
      const block_id = idIn(content, BLOCK_ID);
      yield { line, trace_id, ...(block_id !== undefined && { block_id }), reason };
    } else if (open.size > this.#limits.traceBytes) {
      this.#open = undefined;
      this.#isRejected = true;
      yield { line, trace_id, reason: traceTooLargeMessage(this.#limits) };
    } else {
      open.blocks.push(block);
      open.lines.push(line);
    }
  }
}

/** Returns the id of an exported trace or block, if it is valid. */
const idIn = (content: unknown, form: RegExp): string | undefined =>
  isRecord(content) && typeof content.id === 'string' && form.test(content.id) ? content.id : undefined;

export const traceTooLargeMessage = ({ traceBytes }: ImportLimits): string =>
  `the lines of the trace have more than ${traceBytes} bytes`;
