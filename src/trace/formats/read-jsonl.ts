import type { BlockInput } from '../../../generated/trace.ts';
import { isRecord } from '../../protocol/index.ts';
import type { ImportedTrace, ImportItem, ImportLimits, Reader } from './imported.ts';
import { toBlockInput, toTraceInput } from './stored-trace.ts';

interface Open {
  readonly line: number;
  readonly trace: ImportedTrace['trace'];
  readonly blocks: BlockInput[];
  /** How many blocks it had when it was exported; null where the line does not say. */
  readonly expected: number | null;
  size: number;
}

/**
 * Reads the format `jsonl`. A trace that misses a block is not given: one of its lines is broken, or there are fewer than
 * its `block_count` says. Blocks of a trace that is not given are passed over.
 */
export class JsonlReader implements Reader {
  readonly #limits: ImportLimits;
  #open: Open | undefined;
  /** Whether a block that belongs to nothing is one of a trace that was refused. */
  #isRefused = false;

  constructor(limits: ImportLimits) {
    this.#limits = limits;
  }

  *take(line: number, value: Readonly<Record<string, unknown>>, size: number): Generator<ImportItem> {
    const [[key, content] = [], ...others] = Object.entries(value);
    if (others.length === 0 && key === 'trace') {
      yield* this.end();
      yield* this.#begin(line, content, size);
    } else if (others.length === 0 && key === 'block') yield* this.#add(line, content, size);
    else yield* this.skip(line, 'the line must be an object with one key, trace or block');
  }

  /** A line that cannot be read may be a block of the open trace, unless that has all of its blocks. */
  *skip(line: number, reason: string): Generator<ImportItem> {
    const expected = this.#open?.expected ?? null;
    if (expected !== null && (this.#open?.blocks.length ?? 0) >= expected) yield* this.end();
    yield* this.#refuse(line, reason);
  }

  *end(): Generator<ImportItem> {
    const open = this.#open;
    this.#open = undefined;
    this.#isRefused = false;
    if (!open) return;
    const { line, trace, blocks, expected } = open;
    if (expected === null || blocks.length >= expected) yield { line, trace, blocks };
    else yield { line, trace_id: trace.id, reason: `only ${blocks.length} of its ${expected} blocks follow the trace` };
  }

  *#begin(line: number, content: unknown, size: number): Generator<ImportItem> {
    const { trace, reason } = toTraceInput(content);
    if (reason !== undefined) {
      yield* this.#refuse(line, reason);
      return;
    }
    const count = isRecord(content) ? content.block_count : undefined;
    this.#open = { line, trace, blocks: [], expected: typeof count === 'number' ? count : null, size };
  }

  *#add(line: number, content: unknown, size: number): Generator<ImportItem> {
    const open = this.#open;
    if (!open) {
      if (!this.#isRefused) yield* this.#refuse(line, 'there is no trace before the block');
      return;
    }
    const { block, reason } = toBlockInput(content, open.trace.id);
    open.size += size;
    if (reason !== undefined) yield* this.#refuse(line, reason);
    else if (open.size > this.#limits.traceBytes) yield* this.#refuse(line, tooLarge(this.#limits));
    else open.blocks.push(block);
  }

  *#refuse(line: number, reason: string): Generator<ImportItem> {
    const trace_id = this.#open?.trace.id ?? null;
    this.#open = undefined;
    this.#isRefused = true;
    yield { line, trace_id, reason };
  }
}

export const tooLarge = ({ traceBytes }: ImportLimits): string =>
  `the lines of the trace are larger than ${traceBytes} bytes together`;
