import type { BlockInput } from '../../../generated/trace.ts';
import { isRecord } from '../../core/index.ts';
import { BLOCK_ID, TRACE_ID } from '../model/index.ts';
import type { ImportedTrace, ImportItem, ImportLimits, LineImporter } from './imported.ts';
import { storedToTraceInput, toBlockInput } from './stored-trace.ts';

interface OpenTrace {
  readonly line: number;
  readonly trace: ImportedTrace['trace'];
  readonly blocks: BlockInput[];
  readonly lines: number[];
  /** How many blocks it had when it was exported; null where the line does not say. */
  readonly expected: number | null;
  size: number;
}

/**
 * Reads the format `jsonl`. Lines that cannot be read are problems of their own, and the trace around them is given with its
 * other blocks; if it has fewer than its `block_count` says, that is a problem too. Blocks of a trace that cannot be given are
 * passed over.
 */
export class JsonlReader implements LineImporter {
  readonly #limits: ImportLimits;
  #open: OpenTrace | undefined;
  /** Whether a block that belongs to nothing is one of a trace that was refused. */
  #isRefused = false;

  constructor(limits: ImportLimits) {
    this.#limits = limits;
  }

  *readLine(line: number, value: Readonly<Record<string, unknown>>, size: number): Generator<ImportItem> {
    const [[key, content] = [], ...others] = Object.entries(value);
    if (others.length === 0 && key === 'trace') {
      yield* this.finish();
      yield* this.#begin(line, content, size);
    } else if (others.length === 0 && key === 'block') yield* this.#add(line, content, size);
    else yield* this.skipLine(line, 'the line must be an object with one key, trace or block');
  }

  /** A line that cannot be read may be a block of the open trace, unless that has all of its blocks. */
  *skipLine(line: number, reason: string): Generator<ImportItem> {
    const expected = this.#open?.expected ?? null;
    if (expected !== null && (this.#open?.blocks.length ?? 0) >= expected) yield* this.finish();
    yield { line, trace_id: this.#open?.trace.id ?? null, reason };
  }

  *finish(): Generator<ImportItem> {
    const open = this.#open;
    this.#open = undefined;
    this.#isRefused = false;
    if (!open) return;
    const { line, trace, blocks, lines, expected } = open;
    yield { line, trace, blocks, lines };
    if (expected === null || blocks.length >= expected) return;
    yield { line, trace_id: trace.id, reason: `only ${blocks.length} of its ${expected} blocks could be read` };
  }

  *#begin(line: number, content: unknown, size: number): Generator<ImportItem> {
    const { trace, reason } = storedToTraceInput(content);
    if (reason !== undefined) {
      this.#isRefused = true;
      yield { line, trace_id: idIn(content, TRACE_ID) ?? null, reason };
      return;
    }
    const count = isRecord(content) ? content.block_count : undefined;
    this.#open = { line, trace, blocks: [], lines: [], expected: typeof count === 'number' ? count : null, size };
  }

  *#add(line: number, content: unknown, size: number): Generator<ImportItem> {
    const open = this.#open;
    if (!open) {
      if (!this.#isRefused) yield { line, trace_id: null, reason: 'there is no trace before the block' };
      return;
    }
    const { block, reason } = toBlockInput(content, open.trace.id);
    open.size += size;
    const trace_id = open.trace.id;
    if (reason !== undefined) {
      const block_id = idIn(content, BLOCK_ID);
      yield { line, trace_id, ...(block_id !== undefined && { block_id }), reason };
    } else if (open.size > this.#limits.traceBytes) {
      this.#open = undefined;
      this.#isRefused = true;
      yield { line, trace_id, reason: traceTooLargeMessage(this.#limits) };
    } else {
      open.blocks.push(block);
      open.lines.push(line);
    }
  }
}

/** The id of what was exported, if it has a valid one. */
const idIn = (content: unknown, form: RegExp): string | undefined =>
  isRecord(content) && typeof content.id === 'string' && form.test(content.id) ? content.id : undefined;

export const traceTooLargeMessage = ({ traceBytes }: ImportLimits): string =>
  `the lines of the trace are larger than ${traceBytes} bytes together`;
