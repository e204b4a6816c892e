import { TraceStoreError, validationError } from '../model/index.ts';
import { type BlockFields, decodeCursor, encodeCursor, type TraceStore, type TreeNode } from '../store/index.ts';
import { PAGE_BYTES } from './list-page.ts';

/** The blocks of a trace before a place. */
interface TreeRange {
  readonly org: string;
  readonly traceId: string;
  readonly before: number;
  readonly fields: BlockFields;
}

interface TreePageQuery {
  readonly cursor: string | undefined;
  /** The most messages. */
  readonly limit: number;
}

/** About what an outline takes. */
export const OUTLINE_BYTES = 400;

/** About what is read of a block. */
export const readSize = ({ bytes }: TreeNode, fields: BlockFields): number =>
  fields === 'all' ? bytes : OUTLINE_BYTES;

/** What stands where on one page. Where others follow, the cursor holds the id of its last message. */
export async function readTreePage(
  store: TraceStore,
  stretch: TreeRange,
  { cursor, limit }: TreePageQuery,
): Promise<{ readonly places: readonly TreeNode[]; readonly next_cursor: string | null }> {
  const after = cursor === undefined ? undefined : String(decodeCursor('stitched', cursor)[0]);
  const { places, last } = await chooseMessages(store, stretch, { after, limit });
  if (last !== undefined) return { places, next_cursor: encodeCursor('stitched', [last]) };
  return { places: [...places, ...(await readLoose(store, stretch))], next_cursor: null };
}

/** So many messages are looked at before it is asked whether the page is full. */
const STEP = 500;

interface MessageSelection {
  /** Of messages and all that hangs under them. */
  readonly places: readonly TreeNode[];
  /** The id of the last message, where others follow. */
  readonly last: string | undefined;
}

async function chooseMessages(
  store: TraceStore,
  stretch: TreeRange,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<MessageSelection> {
  const { org, traceId, before, fields } = stretch;
  const places: TreeNode[] = [];
  let [last, count, bytes] = [after, 0, 0];
  for (;;) {
    const step = Math.min(STEP, limit - count + 1);
    const messages = await store.messages(org, traceId, { after: last, before, limit: step });
    if (!messages) throw noCursor();
    const branches = await readBranches(store, stretch, messages);
    for (const message of messages) {
      if (count === limit || bytes > PAGE_BYTES) return { places, last };
      for (const place of branches.get(message.id) ?? []) {
        places.push(place);
        bytes += readSize(place, fields);
      }
      count++;
      last = message.id;
    }
    if (messages.length < step) return { places, last: undefined };
  }
}

const noCursor = (): TraceStoreError => {
  const expected = 'a next_cursor of the same trace';
  return new TraceStoreError(validationError([{ path: '/cursor', rule: 'cursor', expected, got: 'another text' }]));
};

/** Each message with all that hangs under it, by its id. */
async function readBranches(
  store: TraceStore,
  { org, traceId, before }: TreeRange,
  messages: readonly TreeNode[],
): Promise<ReadonlyMap<string, TreeNode[]>> {
  const branches = new Map(messages.map((message) => [message.id, [message]]));
  const under = await store.children(org, traceId, idsOf(messages), before);
  const calls = under.filter(({ sub_type }) => sub_type === 'TOOL_CALL');
  const results = await store.children(org, traceId, idsOf(calls), before);
  const messageOf = new Map(calls.map(({ id, parent_block_id }) => [id, parent_block_id]));
  for (const place of under) {
    if (isUnderMessage(place)) branches.get(place.parent_block_id ?? '')?.push(place);
  }
  for (const place of results.filter(isResult)) {
    branches.get(messageOf.get(place.parent_block_id ?? '') ?? '')?.push(place);
  }
  return branches;
}

/** What hangs under nothing, with the results of those of it that are calls. */
async function readLoose(store: TraceStore, { org, traceId, before }: TreeRange): Promise<TreeNode[]> {
  const orphans = await store.orphans(org, traceId, before);
  const calls = orphans.filter(({ sub_type }) => sub_type === 'TOOL_CALL');
  const results = await store.children(org, traceId, idsOf(calls), before);
  return [...orphans, ...results.filter(isResult)];
}

const idsOf = (places: readonly TreeNode[]): string[] => places.map(({ id }) => id);

/** In a damaged database anything may hang under anything; there it is an orphan. */
const isUnderMessage = ({ sub_type }: TreeNode): boolean => sub_type === 'THINK' || sub_type === 'TOOL_CALL';
const isResult = ({ sub_type }: TreeNode): boolean => sub_type === 'TOOL_RESULT';
