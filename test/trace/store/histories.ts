import { isRecord } from '../../../src/core/index.ts';
import { stitch } from '../../../src/trace/model/index.ts';
import type { TraceStore } from '../../../src/trace/store/trace-store.ts';
import { exchange } from '../model/histories.ts';
import { ORG, post, toFailure } from './stores.ts';

/** Blocks with fixed ids, so that all stores have the same; every third block has a reward. */
const complete = (block: unknown, place: number) =>
  isRecord(block) ? { ...block, extra: place % 3 === 0 ? { reward: (place % 7) / 2 } : null } : block;

/** A sequence of requests to a store. */
export const bodies = exchange.map(({ bodies: all }) =>
  all.map((body, place) =>
    'blocks' in (body ?? {}) && isRecord(body) && Array.isArray(body.blocks)
      ? { blocks: body.blocks.map((block, index) => complete(block, place + index)) }
      : complete(body, place),
  ),
);

/** Returns the responses of a store to the requests, and its contents afterwards. */
export async function play(store: TraceStore, requests: readonly unknown[]) {
  await store.createTrace(ORG, { id: 'tr_a', run: 'r' });
  await store.createTrace(ORG, { id: 'tr_b', run: 'r' });
  const results = [];
  for (const [place, body] of requests.entries()) {
    const idempotency = place % 5 === 0 ? { idempotency: { key: `${place % 2}`, bodySha256: `${place % 3}` } } : {};
    const id = place % 4 === 3 ? 'tr_b' : 'tr_a';
    results.push(await post(store, id, body, idempotency).catch(toFailure));
  }
  const blocks = await Promise.all(['tr_a', 'tr_b'].map((id) => store.blocks(ORG, id)));
  return {
    results,
    blocks,
    trees: blocks.map((each) =>
      stitch(
        each.map(({ block }) => block),
        { assemble: true },
      ),
    ),
    skeletons: await store.skeletons(ORG, 'tr_a'),
    traces: await store.traces(ORG, { limit: 10 }),
    runs: await store.runs(ORG, { limit: 10 }),
    stats: await store.runStats(ORG, 'r', 4),
    groups: await store.groups(ORG, { limit: 10 }),
    totals: await store.totals(),
    problems: await store.verify(),
  };
}
