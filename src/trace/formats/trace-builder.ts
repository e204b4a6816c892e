import type { BlockId, BlockInput, JSONObject, JSONValue, MessagePayload } from '../../../generated/trace.ts';
import { CallMatcher, isJsonObject } from '../../core/index.ts';
import { checkImportedBlock, type ImportedTrace, type ImportItem, parseLine } from './imported.ts';

/** A block that is being built; its content and extra can still change. */
export interface DraftBlock {
  readonly id: BlockId;
  readonly sub_type: BlockInput['sub_type'];
  readonly payload: Record<string, JSONValue>;
  readonly parent_block_id: BlockId | null;
  extra: JSONObject | null;
}

export interface ModelToolCall {
  readonly id: unknown;
  readonly name: unknown;
  readonly arguments: unknown;
}

/** Builds the blocks of a trace from another format. */
export class TraceBuilder {
  readonly drafts: DraftBlock[] = [];
  readonly #calls = new CallMatcher<DraftBlock>();
  readonly #callIds = new Set<string>();

  message(role: MessagePayload['role'], content: JSONValue, extra: JSONObject | null = null): DraftBlock {
    this.#calls.endTurn();
    return this.#add('MESSAGE', { role, content }, null, extra);
  }

  think(parent: DraftBlock, text: string): DraftBlock {
    return this.#add('THINK', { text }, parent, null);
  }

  /** Adds a call. Other formats can repeat ids of calls; a repeated id goes to `extra.call_id`. */
  call(parent: DraftBlock, { id, name, arguments: args }: ModelToolCall, extra: JSONObject | null = null): DraftBlock {
    const hasId = typeof id === 'string' && id !== '';
    const isFresh = hasId && !this.#callIds.has(id);
    const payload = {
      ...(isFresh ? { call_id: id } : {}),
      name: typeof name === 'string' ? name : '',
      arguments: argumentsOf(args),
    };
    const draft = this.#add('TOOL_CALL', payload, parent, hasId && !isFresh ? { ...extra, call_id: id } : extra);
    if (hasId) this.#callIds.add(id);
    this.#calls.add(hasId ? id : undefined, draft);
    return draft;
  }

  hasCall(id: unknown): boolean {
    return typeof id === 'string' && this.#calls.has(id);
  }

  /** Returns the call that a result with this id, or without one, belongs to; see `CallMatcher`. */
  takeCall(id: unknown): DraftBlock | undefined {
    return this.#calls.take(typeof id === 'string' ? id : undefined)?.call;
  }

  result(call: DraftBlock, output: JSONValue, extra: JSONObject | null = null): DraftBlock {
    return this.#add('TOOL_RESULT', { output }, call, extra);
  }

  /**
   * Returns the trace without its invalid blocks, after the reason for each of them. Returns no trace if none is valid.
   *
   * @param line first line of the trace.
   * @param hash hash of its content, from which the ids are derived, so that a repeated import finds it.
   */
  finish(line: number, hash: string, about: Omit<ImportedTrace['trace'], 'id'>): ImportItem[] {
    const traceId = `tr_${hash}`;
    const idOf = (id: BlockId) => `tb_${hash}_${id}`;
    const items: ImportItem[] = [];
    const blocks: BlockInput[] = [];
    const rejected = new Set<BlockId>();
    const reject = ({ id, sub_type }: Pick<DraftBlock, 'id' | 'sub_type'>, reason: string) => {
      rejected.add(id);
      items.push({ line, trace_id: traceId, reason: `block ${id}, a ${sub_type}: ${reason}` });
    };
    for (const { id, parent_block_id: parent, extra, ...draft } of this.drafts) {
      const parent_block_id = parent === null ? null : idOf(parent);
      const { value: block, reason } = checkImportedBlock({ ...draft, id: idOf(id), parent_block_id, extra }, traceId);
      if (reason !== undefined) reject({ id, ...draft }, reason);
      else if (parent !== null && rejected.has(parent))
        reject({ id, ...draft }, `its parent, block ${parent}, is not valid`);
      else blocks.push(block);
    }
    if (blocks.length > 0 || rejected.size === 0) items.push({ line, trace: { id: traceId, ...about }, blocks });
    return items;
  }

  #add(
    sub_type: DraftBlock['sub_type'],
    payload: DraftBlock['payload'],
    parent: DraftBlock | null,
    extra: JSONObject | null,
  ): DraftBlock {
    const draft = { id: String(this.drafts.length), sub_type, payload, parent_block_id: parent?.id ?? null, extra };
    this.drafts.push(draft);
    return draft;
  }
}

/** Returns the content of a message without parts: announcements of its calls, or an empty text part. */
export const announcements = (calls: readonly Pick<ModelToolCall, 'id' | 'name'>[]): JSONValue =>
  calls.length === 0
    ? [{ type: 'text', text: '' }]
    : // The fields were parsed from JSON.
      calls.map(({ id, name }) => ({ type: 'tool_use', id: id ?? null, name: name ?? null }) as JSONObject);

/** Returns arguments as an object; other values are kept as text in `$invalid_json`. */
function argumentsOf(args: unknown): JSONObject {
  if (args === undefined || args === null || args === '') return {};
  if (isJsonObject(args)) return args;
  if (typeof args !== 'string') return { $invalid_json: JSON.stringify(args) };
  const parsed = parseLine(args);
  return parsed.value ? (parsed.value as JSONObject) : { $invalid_json: args };
}
