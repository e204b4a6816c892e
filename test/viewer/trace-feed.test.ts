import { describe, expect, it } from '@jest/globals';
import type { Block, MessageBlock, Trace } from '../../generated/trace.ts';
import { toSkeleton } from '../../src/trace/model/index.ts';
import { toRequestError } from '../../src/viewer/page/api/request-error.ts';
import { TraceFeed, type TraceFeedSource } from '../../src/viewer/page/trace/feed.ts';
import { visibleRows } from '../../src/viewer/page/trace/visible-rows.ts';
import fc, { runs } from '../support/fast-check.ts';
import { skeleton } from './trace-blocks.ts';

const message = (ord: number): MessageBlock => {
  const created_at = `2026-01-01T00:00:00.${String(ord).padStart(6, '0')}Z`;
  return {
    ...{ id: `tb_${ord}`, trace_id: 'tr_a', block_type: 'MESSAGE', sub_type: 'MESSAGE', parent_block_id: null },
    ...{ payload: { role: 'user', content: `message ${ord}` }, metadata: {}, raw: null, extra: null },
    ...{ created_at, updated_at: created_at },
  };
};
const traceOf = (block_count: number) =>
  ({ id: 'tr_a', status: 'running', block_count, updated_at: String(block_count) }) as Trace;
const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });

/** Server that has `before` blocks at first, and sends `after` more in streams that break after each of `breaks`. */
function server({ before, after, breaks }: { before: number; after: number; breaks: readonly number[] }) {
  const blocks = Array.from({ length: before + after }, (_, index) => message(index + 1));
  const requested: number[] = [];
  const source: TraceFeedSource = {
    trace: async () => traceOf(before),
    page: async ({ after: ord, before: end = before + 1, limit }) => {
      const last = Math.min(before, end - 1);
      const found = blocks.slice(ord, Math.min(last, ord + limit));
      const next_cursor = ord + found.length < last ? String(ord + found.length) : null;
      return { blocks: found.map((block) => toSkeleton(block)), page: { next_cursor } };
    },
    context: async () => ({ blocks: [], page: { next_cursor: null } }),
    follow: async (ord, signal) => {
      requested.push(ord);
      const sent = blocks.slice(ord, ord + (breaks[requested.length - 1] ?? Number.POSITIVE_INFINITY));
      return (async function* () {
        for (const block of sent) yield { event: 'block', data: JSON.stringify(block) };
        if (requested.length > breaks.length) await aborted(signal);
      })();
    },
    until: (state, signal) => (state === 'visible' ? Promise.resolve() : aborted(signal)),
    sleep: (ms, signal) => (ms === 60_000 ? aborted(signal) : Promise.resolve()),
    now: () => 0,
  };
  return { source, blocks, requested };
}

async function followed(source: TraceFeedSource, size: number) {
  const stop = new AbortController();
  const seen: Block[] = [];
  const feed = new TraceFeed('tr_a', source, {
    change: () => feed.outline.size === size && feed.state.isLive && stop.abort(),
    block: (block) => seen.push(block),
  });
  await feed.run(stop.signal);
  return { feed, seen };
}

describe('the feed of a trace', () => {
  it('has every block once and in order, however often the server goes away', async () => {
    const cases = fc.record({
      before: fc.integer({ min: 0, max: 2_500 }),
      after: fc.integer({ min: 1, max: 60 }),
      breaks: fc.array(fc.nat(20), { maxLength: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async (given) => {
        const { source, blocks, requested } = server(given);

        const { feed, seen } = await followed(source, blocks.length);

        expect(feed.outline.messages.map(({ id }) => id)).toEqual(blocks.map(({ id }) => id));
        expect(seen.map(({ id }) => id)).toEqual(blocks.slice(given.before).map(({ id }) => id));
        expect(feed.state.newBlockCount).toBe(given.after);
        expect(requested[0]).toBe(given.before);
      }),
      { numRuns: runs(30) },
    );
  });

  it('reports when it retries, and waits for the user if retrying does not help', async () => {
    const waits: number[] = [];
    const stop = new AbortController();
    const { source } = server({ before: 1, after: 0, breaks: [] });
    const failures = [toRequestError(500, undefined), toRequestError(500, undefined), toRequestError(404, undefined)];
    const feed = new TraceFeed(
      'tr_a',
      {
        ...source,
        trace: async () => Promise.reject(failures.shift()),
        sleep: async (ms) => {
          waits.push(ms);
          if (failures.length === 0) stop.abort();
        },
      },
      { change: () => {}, block: () => {} },
    );

    await feed.run(stop.signal);

    const [first = 0, second = 0, third] = waits;
    expect([first >= 500, first <= 1_000, second >= 1_000, second <= 2_000]).toEqual([true, true, true, true]);
    expect(third).toBe(Infinity);
    expect(feed.state.failure?.kind).toBe('missing');
    expect(feed.state.retryAt).toBeUndefined();
  });

  it('keeps the loaded part of a trace that is deleted, and sends no more requests', async () => {
    const { source } = server({ before: 3, after: 0, breaks: [] });
    const deleted = { event: 'deleted', data: '{}' };
    const feed = new TraceFeed(
      'tr_a',
      {
        ...source,
        follow: async () =>
          (async function* () {
            yield deleted;
          })(),
      },
      { change: () => {}, block: () => {} },
    );

    await feed.run(new AbortController().signal);

    expect(feed.state).toMatchObject({ isDeleted: true, isLive: false });
    expect(feed.outline.size).toBe(3);
  });

  it('loads a requested block ahead of its page, with its ancestors and siblings', async () => {
    const { source } = server({ before: 0, after: 0, breaks: [] });
    const blocks = [
      skeleton('tb_m', 'MESSAGE'),
      skeleton('tb_think', 'THINK', { parent_block_id: 'tb_m' }),
      skeleton('tb_c', 'TOOL_CALL', { parent_block_id: 'tb_m' }),
      skeleton('tb_r', 'TOOL_RESULT', { parent_block_id: 'tb_c' }),
      skeleton('tb_other', 'MESSAGE'),
    ];
    const near: TraceFeedSource['context'] = async (query) => ({
      blocks: blocks.filter((block) =>
        'ids' in query ? block.id === query.ids : block.parent_block_id === query.parent,
      ),
      page: { next_cursor: null },
    });
    const feed = new TraceFeed('tr_a', { ...source, context: near }, { change: () => {}, block: () => {} });

    await feed.seek('tb_r', new AbortController().signal);
    await feed.seek('tb_nowhere', new AbortController().signal);

    expect(feed.outline.rowOf('tb_r')?.parent?.parent?.id).toBe('tb_m');
    expect(feed.outline.messages[0]?.children.map(({ id }) => id)).toEqual(['tb_c', 'tb_think']);
    expect(feed.outline.size).toBe(4);
  });

  it('shows gaps next to a block that was loaded ahead of its page until they are loaded', async () => {
    const { source, blocks } = server({ before: 1_300, after: 0, breaks: [] });
    const shown = (feed: TraceFeed) =>
      visibleRows(feed.outline, { isClosed: () => false, filters: new Set() }).map(({ id }) => id);
    const sought = async (id: string) => {
      const near: TraceFeedSource['context'] = async () => ({
        blocks: blocks.filter((block) => block.id === id).map((block) => toSkeleton(block)),
        page: { next_cursor: null },
      });
      const stop = new AbortController();
      const states: string[][] = [];
      const page: TraceFeedSource['page'] = async (range, signal) => {
        if (range.after === 100) {
          await feed.seek(id, signal);
          states.push(shown(feed));
        }
        return source.page(range, signal);
      };
      const feed: TraceFeed = new TraceFeed(
        'tr_a',
        { ...source, context: near, page },
        {
          change: () => feed.state.isLive && stop.abort(),
          block: () => {},
        },
      );
      await feed.run(stop.signal);
      return [...states, shown(feed)];
    };

    const [middle, afterMiddle] = await sought('tb_700');
    const [end, afterEnd] = await sought('tb_1250');

    const all = blocks.map(({ id }) => id);
    expect(middle?.slice(-3)).toEqual(['gap-tb_700', 'tb_700', 'gap-end']);
    expect(end?.filter((id) => id.startsWith('gap'))).toEqual(['gap-tb_1201']);
    expect(end?.slice(end.indexOf('gap-tb_1201') + 1)).toEqual(all.slice(1_200));
    expect(afterMiddle).toEqual(all);
    expect(afterEnd).toEqual(all);
  });
});
