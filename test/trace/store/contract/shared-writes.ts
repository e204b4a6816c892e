import { expect, test } from '@jest/globals';
import type { TraceErrorBody } from '../../../../src/trace/model/index.ts';
import { createMemoryStore } from '../../../../src/trace/store/index.ts';
import type { AppendRequest, AppendResult, TraceStore } from '../../../../src/trace/store/trace-store.ts';
import fc, { runs } from '../../../support/fast-check.ts';
import { call, LIMITS, message, type OpenStore, result, toFailure } from '../stores.ts';

const ORGS = ['acme', 'globex'];
/** Traces with the message `m0` and the call `c0`. */
const TRACES = ['tr_0', 'tr_1', 'tr_2', 'tr_3'];
const DELETED = 'tr_deleted';
const MISSING = 'tr_missing';
const REJECTIONS = [
  'BLOCK_ID_CONFLICT',
  'DUPLICATE_CALL_ID',
  'DUPLICATE_RESULT_SEQ',
  'IDEMPOTENCY_MISMATCH',
  'PARENT_SUBTYPE_MISMATCH',
  'TRACE_DELETED',
  'TRACE_NOT_FOUND',
  'VALIDATION',
];
const START = { blocks: [ownBlock(message(), 'm0'), ownBlock(call(), 'c0', 'm0')] };

interface OwnBlock {
  readonly id: string;
  readonly parent_block_id?: string;
}

/** A block with ids that are unique in its trace; those of `m9` and `c9` are never written. */
function ownBlock(block: object, id: string, parent?: string): OwnBlock {
  return { ...block, id, ...(parent !== undefined && { parent_block_id: parent }) };
}

/** Makes the ids of a body unique across traces. */
const inTrace = (trace: string, { blocks }: { readonly blocks: readonly OwnBlock[] }) => ({
  blocks: blocks.map(({ id, parent_block_id, ...block }) => ({
    ...block,
    id: `tb_${trace}_${id}`,
    ...(parent_block_id !== undefined && { parent_block_id: `tb_${trace}_${parent_block_id}` }),
  })),
});

interface Post {
  readonly org: string;
  readonly trace: string;
  readonly request: Pick<AppendRequest, 'body' | 'times' | 'idempotency'>;
  /** True if the body has an id that requests to other traces have, too: only the first of them is accepted. */
  readonly isShared: boolean;
}

const oneOf = (...ids: readonly string[]) => fc.constantFrom(...ids);

const ownBlocks = fc.oneof(
  fc.tuple(oneOf('m0', 'm1', 'm2', 'm3'), oneOf('a', 'b', '')).map(([id, text]) => ownBlock(message(text), id)),
  fc
    .tuple(oneOf('c0', 'c1', 'c2'), oneOf('m0', 'm0', 'm1', 'm9', 'c0'), oneOf('call_1', 'call_2', 'call_3'))
    .map(([id, parent, call_id]) => ownBlock(call({ call_id }), id, parent)),
  fc
    .tuple(oneOf('r0', 'r1', 'r2', 'r3'), oneOf('c0', 'c0', 'c0', 'c1', 'c9'), fc.nat(1))
    .map(([id, parent, seq]) => ownBlock(result({ output: id, seq }, { reward: seq / 2 }), id, parent)),
);

/** Depends only on earlier requests to the same trace. */
const ownPost = fc
  .record({
    org: oneOf(...ORGS),
    trace: oneOf(...TRACES, ...TRACES, ...TRACES, DELETED, MISSING),
    blocks: fc.oneof({ weight: 2, arbitrary: fc.tuple(ownBlocks) }, fc.tuple(ownBlocks, ownBlocks)),
    times: fc.option(fc.tuple(fc.nat(3), fc.nat(3)), { nil: undefined }),
    idempotency: fc.option(fc.record({ key: oneOf('a', 'b'), bodySha256: oneOf('a', 'a', 'b') }), { nil: undefined }),
  })
  .map(({ org, trace, blocks, times, idempotency }): Post => {
    const body = inTrace(trace, { blocks });
    const request = { body, ...(times && { times }), ...(idempotency && { idempotency }) };
    return { org, trace, request, isShared: false };
  });

const sharedPost = fc
  .record({ org: oneOf(...ORGS), trace: oneOf(...TRACES), id: fc.nat(5), isBatch: fc.boolean() })
  .map(({ org, trace, id, isBatch }): Post => {
    const block = { ...message(), id: `tb_shared${id}` };
    const body = isBatch ? { blocks: [{ ...message(), id: `tb_${trace}_before${id}` }, block] } : block;
    return { org, trace, request: { body }, isShared: true };
  });

/** Requests that wait together; some are repeated. */
const group = fc
  .array(fc.tuple(fc.oneof({ weight: 3, arbitrary: ownPost }, { weight: 1, arbitrary: sharedPost }), fc.nat(9)), {
    minLength: 2,
    maxLength: 16,
  })
  .map((posts) => posts.flatMap(([post, chance]) => (chance === 0 ? [post, post] : [post])));

/** Tests appends that wait at the same time: a store may write them with the same statements. */
export function testSharedWrites(open: OpenStore): void {
  test('writes appends that wait together as a memory store writes them one at a time', async () => {
    const now = () => 1_700_000_000_000;
    await using store = await open({ now });
    const kinds: string[] = [];

    await fc.assert(
      fc.asyncProperty(fc.array(group, { minLength: 1, maxLength: 4 }), fc.uuid(), async (groups, suffix) => {
        const tested = await createTraces(store, suffix);
        const reference = await createTraces(createMemoryStore({ now }), suffix);
        for (const posts of groups) {
          const answers = await Promise.all(posts.map(tested.append));
          for (const [index, post] of inOrderOfWrites(posts, answers)) {
            expect(answers[index]).toEqual(await reference.append(post));
          }
          kinds.push(...answers.map(kindOf));
        }
        expect(await tested.contents()).toEqual(await reference.contents());
      }),
      { numRuns: runs(60) },
    );

    expect(await store.verify()).toEqual([]);
    // Otherwise the groups would test nothing.
    expect([...new Set(kinds)]).toEqual(expect.arrayContaining(REJECTIONS));
    const accepted = kinds.filter((kind) => kind === 'accepted').length;
    expect(accepted / kinds.length).toBeGreaterThan(0.3);
    expect(accepted / kinds.length).toBeLessThan(0.7);
  });
}

type AppendAnswer = AppendResult | TraceErrorBody;

const kindOf = (answer: AppendAnswer | undefined): string => (answer && 'code' in answer ? answer.code : 'accepted');

/**
 * Returns requests with their indexes. Those to one trace are written in their order; but a request that was rejected
 * because another trace has its id comes last, since the accepted one may have been sent after it.
 */
function inOrderOfWrites(posts: readonly Post[], answers: readonly AppendAnswer[]): readonly [number, Post][] {
  const isLate = ([index, { isShared }]: [number, Post]) => isShared && kindOf(answers[index]) !== 'accepted';
  const all = [...posts.entries()];
  return [...all.filter((each) => !isLate(each)), ...all.filter(isLate)];
}

/** Creates traces in organizations that no other run has. */
async function createTraces(store: TraceStore, suffix: string) {
  const append = ({ org, trace, request }: Omit<Post, 'isShared'>) =>
    store.append(`${org} ${suffix}`, trace, { ...request, limits: LIMITS }).catch(toFailure);
  const each = <T>(traces: readonly string[], run: (org: string, trace: string) => Promise<T>) =>
    Promise.all(ORGS.flatMap((org) => traces.map((trace) => run(org, trace))));

  await each([...TRACES, DELETED], (org, id) => store.createTrace(`${org} ${suffix}`, { id }));
  await each([DELETED], (org, id) => store.deleteTrace(`${org} ${suffix}`, id));
  await each(TRACES, (org, trace) => append({ org, trace, request: { body: inTrace(trace, START) } }));
  return {
    append,
    contents: () =>
      each(TRACES, async (org, id) => [
        await store.trace(`${org} ${suffix}`, id),
        await store.blocks(`${org} ${suffix}`, id),
      ]),
  };
}
