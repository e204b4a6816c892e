import { expect, test } from '@jest/globals';
import type { SearchHit, Trace } from '../../../../generated/trace.ts';
import {
  blockTerms,
  groupKey,
  isSearchProblem,
  matchesBlocks,
  matchesTrace,
  parseSearch,
  type SearchQuery,
  traceTerms,
} from '../../../../src/trace/model/index.ts';
import type { QuerySearch, TraceStore } from '../../../../src/trace/store/trace-store.ts';
import fc, { runs } from '../../../support/fast-check.ts';
import { traceValidator } from '../../../support/validators.ts';
import { codeOf, message, type OpenStore, ORG, post } from '../stores.ts';
import { openOnce } from './open-once.ts';

const MODELS = ['Qwen/Qwen2.5', 'Kimi K2', 'straße', '"quoted"', 'tab\there', null] as const;

/** Traces tr_0 to tr_11, the last one the newest; each has a message, a call of a tool, and its result. */
async function fill(store: TraceStore): Promise<void> {
  for (let place = 0; place < 12; place++) {
    const id = `tr_${place}`;
    const model = MODELS[place % MODELS.length] ?? null;
    await store.createTrace(
      ORG,
      {
        id,
        run: place % 2 ? 'Odd run' : 'even',
        environment: place < 6 ? 'first' : 'Zweite Ümwelt',
        step: place,
        task_index: place % 3,
        ...(model !== null && { model }),
        tags: place % 4 === 0 ? ['draft', 'stop:length'] : [],
        metadata: { level: place < 3 ? 'hard' : 'easy', n: place, nested: { list: ['x', place] } },
      },
      1_700_000_000_000 + place,
    );
    const tool = place % 3 === 0 ? 'bash' : 'Kernel\u212a';
    const output =
      place % 4 === 3
        ? {
            ok: false,
            error: `Traceback (most recent call last):\n  File "x", line ${place}\nValueError: bad ${place}\n`,
          }
        : `\u001b[31mthe output\u001b[0m number ${place}`;
    await post(store, id, {
      blocks: [
        { ...message(`question ${place}`), id: `tb_m${place}` },
        { id: `tb_t${place}`, sub_type: 'THINK', parent_block_id: `tb_m${place}`, payload: { text: 'think a bit' } },
        {
          id: `tb_c${place}`,
          sub_type: 'TOOL_CALL',
          parent_block_id: `tb_m${place}`,
          payload: { name: tool, arguments: { command: `look at ${place}` } },
        },
        {
          id: `tb_r${place}`,
          sub_type: 'TOOL_RESULT',
          parent_block_id: `tb_c${place}`,
          payload: { output },
          extra: place % 5 === 0 ? null : { reward: place / 10 },
        },
      ],
    });
  }
  await store.addScore(ORG, { id: 'sc_1', trace_id: 'tr_1', name: 'quality', value: 0.25 });
  await store.addScore(ORG, { id: 'sc_2', trace_id: 'tr_2', block_id: 'tb_m2', name: 'quality', value: 0.75 });
  await store.addScore(ORG, { id: 'sc_3', trace_id: 'tr_3', name: 'kind', label: 'wrong tool' });
}

function parse(text: string): SearchQuery {
  const query = parseSearch(text, Date.UTC(2026, 0, 1));
  if (isSearchProblem(query)) throw new Error(JSON.stringify(query));
  return query;
}

/** Reads all hits of a search. */
async function search(store: TraceStore, text: string, page: Partial<QuerySearch> = {}): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const next: { cursor?: string } = cursor === undefined ? {} : { cursor };
    const found = await store.search(ORG, { query: parse(text), limit: 200, ...page, ...next });
    hits.push(...found.items);
    cursor = found.next_cursor;
  }
  return hits;
}

const idsOf = (hits: readonly SearchHit[]): string => hits.map(({ block }) => block.id.slice(3)).join(' ');

async function traces(store: TraceStore, text: string, limit = 100): Promise<string> {
  const ids: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const next: { cursor?: string } = cursor === undefined ? {} : { cursor };
    const found = await store.traces(ORG, { query: parse(text), limit, order: 'asc', ...next });
    expect(found.items.length).toBeLessThanOrEqual(limit);
    ids.push(...found.items.map(({ id }) => id.slice(3)));
    cursor = found.next_cursor;
  }
  return ids.join(' ');
}

/** Matches the mean reward of traces up to rounding; null without rewards. */
function closeToMean(traces: readonly Trace[]): unknown {
  const rewards = traces.flatMap(({ reward_sum }) => reward_sum ?? []);
  if (rewards.length === 0) return null;
  return expect.closeTo(rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length, 9);
}

export function testQueries(open: OpenStore): void {
  const openFilled = openOnce(open, fill);

  test.each<[string, string]>([
    ['question run:odd', 'm11 m9 m7 m5 m3 m1'],
    ['"question 1" -"question 11"', 'm10 m1'],
    ['look at model:qwen', 'c6 c0'],
    ['kind:call model:="\\"quoted\\""', 'c9 c3'],
    ['kind:call model:quoted', 'c9 c3'],
    ['kind:call model:STRASSE', ''],
    ['kind:call model:STRAẞE', 'c8 c2'],
    ['kind:call model:kimi', 'c7 c1'],
    ['kind:message -model:i', 'm11 m10 m9 m8 m6 m5 m4 m3 m2 m0'],
    ['kind:message env:ÜMWELT step:<8', 'm7 m6'],
    ['tool:bash -kind:result', 'c9 c6 c3 c0'],
    ['tool:=bash number', 'r9 r6 r0'],
    ['tool:KERNELK output step:<5', 'r4 r2 r1'],
    ['error:true', 'r11 r7 r3'],
    ['error:"bad 7"', 'r7'],
    ['error:false reward:>0.8', 'r9'],
    ['-error:true kind:result step:>8', 'r10 r9'],
    ['kind:result reward:>=0.8 reward:<1.1', 'r9 r8'],
    ['kind:result -reward:>=0', 'r10 r5 r0'],
    ['kind:thought meta.level:hard', 't2 t1 t0'],
    ['kind:thought meta.n:>=10', 't11 t10'],
    ['kind:thought meta.nested.list:x -meta.level:easy', 't2 t1 t0'],
    ['kind:thought tag:stop', 't8 t4 t0'],
    ['kind:thought -tag:=draft step:<4', 't3 t2 t1'],
    ['role:user score:quality', 'm2 m1'],
    ['role:user score.quality:>0.5', 'm2'],
    ['role:user score.kind:"wrong tool"', 'm3'],
    ['role:user -score:quality step:<4', 'm3 m0'],
    ['kind:call after:2023-11-14T22:13:20.010Z', 'c11 c10'],
    ['kind:call before:2023-11-14T22:13:20.002Z', 'c1 c0'],
    ['kind:call task:2', 'c11 c8 c5 c2'],
    ['kind:call trace:tr_1 -trace:=tr_1', 'c11 c10'],
    ['kind:call step:3.5', ''],
    ['kind:call run:"%"', ''],
    ['-think -question -look -output kind:result', 'r11 r7 r3'],
  ])('finds the blocks of the query %j', async (text, expected) => {
    const store = await openFilled();

    expect(idsOf(await search(store, text))).toBe(expected);
    expect(idsOf(await search(store, text, { limit: 1 }))).toBe(expected);
    expect(idsOf(await search(store, text, { limit: 2, effort: { blocks: 1 } }))).toBe(expected);
  });

  test('returns the tool, clean text and the message of a failure', async () => {
    const store = await openFilled();

    const [failed] = await search(store, 'error:true', { limit: 1 });
    const [clean] = await search(store, 'number tool:bash', { limit: 1 });
    const [thought] = await search(store, 'kind:thought', { limit: 1 });

    expect(failed).toMatchObject({ trace_id: 'tr_11', tool: 'Kernel\u212a', error: 'ValueError: bad 11' });
    expect(clean).toMatchObject({ trace_id: 'tr_9', tool: 'bash', text: 'the output number 9', error: null });
    expect(thought).toMatchObject({ tool: null, text: 'think a bit' });
    for (const hit of [failed, clean, thought]) expect(traceValidator('SearchHit')(hit)).toBe(true);
  });

  test.each<[string, string]>([
    ['', '0 1 2 3 4 5 6 7 8 9 10 11'],
    ['model:qwen', '0 6'],
    ['-model:qwen step:<=6 reward:>0.1', '2 3 4'],
    ['meta.level:hard -tag:draft', '1 2'],
    ['score.quality:<0.5', '1'],
    ['-score:quality meta.level:hard', '0'],
    ['errors:1', '3 7 11'],
    ['after:2026-01-01', ''],
    ['tool:bash', '0 3 6 9'],
    ['tool:=bash', '0 3 6 9'],
    ['tool:kernelK', '1 2 4 5 7 8 10 11'],
    ['-tool:BASH step:<6', '1 2 4 5'],
    ['error:true', '3 7 11'],
    ['-error:true step:<=4', '0 1 2 4'],
    ['error:true tool:bash', '3'],
    ['error:false tool:bash', '0 6 9'],
    ['-tool:bash error:true', '7 11'],
    ['-tool:bash -error:true', '1 2 4 5 8 10'],
    ['kind:result role:user', ''],
    ['role:user model:qwen', '0 6'],
    ['-kind:thought', ''],
  ])('lists the traces of the query %j', async (text, expected) => {
    const store = await openFilled();

    expect(await traces(store, text)).toBe(expected);
    expect(await traces(store, text, 1)).toBe(expected);
  });

  test('keeps the order of a list by reward, and rejects a cursor of another order', async () => {
    const store = await openFilled();
    const list = (sort: 'reward' | 'created', cursor?: string) =>
      store.traces(ORG, { query: parse('meta.n:>=0'), sort, limit: 5, ...(cursor !== undefined && { cursor }) });

    const first = await list('reward');
    const second = await list('reward', first.next_cursor ?? '');

    expect(first.items.map(({ id }) => id)).toEqual(['tr_11', 'tr_9', 'tr_8', 'tr_7', 'tr_6']);
    expect(second.items.map(({ id }) => id)).toEqual(['tr_4', 'tr_3', 'tr_2', 'tr_1', 'tr_5']);
    expect(await codeOf(list('created', first.next_cursor ?? ''))).toBe('VALIDATION');
  });

  test('selects runs, statistics and groups by exactly the traces that match, for any terms', async () => {
    const store = await openFilled();
    const all = (await store.traces(ORG, { limit: 100, order: 'asc' })).items;
    const blocks = new Map<string, Parameters<typeof matchesBlocks>[1]>();
    for (const { id } of all) {
      const skeletons = (await store.skeletons(ORG, id)).map(({ block }) => block);
      const toolOf = new Map(skeletons.map((block) => [block.id, block.name]));
      blocks.set(
        id,
        skeletons.map((block) => ({ ...block, tool: block.name ?? toolOf.get(block.parent_block_id ?? '') ?? null })),
      );
    }
    const isMatch = (query: SearchQuery) => (trace: Trace) =>
      matchesTrace(traceTerms(query), trace) && matchesBlocks(blockTerms(query), blocks.get(trace.id) ?? []);
    const terms = fc.constantFrom(
      ...[
        'tool:k',
        'tool:=bash',
        'tool:A',
        'error:true',
        'error:false',
        'kind:result',
        'role:user',
        'model:k',
        'step:>3',
      ],
      ...['run:o', 'meta.level:A', 'task:1', 'tag:t', 'reward:<0.7', 'env:z'],
    );
    const written = fc.array(fc.tuple(fc.constantFrom('', '-'), terms), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(written, async (parts) => {
        const text = parts.map((part) => part.join('')).join(' ');
        const query = parse(text);
        const expected = all.filter(isMatch(query));
        const ofRuns = ['Odd run', 'even'].flatMap((run) => {
          const count = expected.filter((trace) => trace.run === run).length;
          return count > 0 ? [[run, count]] : [];
        });

        const { items } = await store.runs(ORG, { query, details: { pass: 0.5 }, limit: 10 });
        const stats = await store.runStats(ORG, 'even', 4, { query }).catch(() => undefined);
        const groups = await store.groups(ORG, { query, sort: 'std', limit: 100 });

        expect([text, items.map(({ run, trace_count }) => [run, trace_count]).sort()]).toEqual([text, ofRuns]);
        for (const run of items) {
          const own = expected.filter((trace) => trace.run === run.run);
          const passed = own.filter(({ reward_sum }) => reward_sum !== null && reward_sum >= 0.5).length;
          expect([text, run.reward.mean, run.details?.passed]).toEqual([text, closeToMean(own), passed]);
        }
        expect([text, stats?.run.trace_count]).toEqual([text, ofRuns.find(([run]) => run === 'even')?.[1]]);
        expect([text, groups.items.map(({ key }) => key).sort()]).toEqual([
          text,
          [...new Set(expected.map(groupKey))].sort(),
        ]);
      }),
      { numRuns: runs(60) },
    );
  });

  test('returns whole groups of which a member has the name or matches, and pages of them', async () => {
    await using store = await open();
    for (const [index, model] of ['a', 'b', 'a', 'b', 'c'].entries()) {
      const group_id = index < 2 ? 'one' : index < 4 ? 'two' : 'three';
      await store.createTrace(ORG, { id: `tr_${index}`, run: index < 4 ? 'r' : 's', group_id, model }, index);
      await post(store, `tr_${index}`, { ...message('x'), extra: { reward: index } });
    }
    const list = async (query: object) =>
      (await store.groups(ORG, { limit: 100, ...query })).items.map(({ key, members }) => [key, members.length]);

    const first = await store.groups(ORG, { query: parse('-model:c'), sort: 'mean', limit: 1 });
    const cursor = first.next_cursor ?? '';
    const second = await store.groups(ORG, { query: parse('-model:c'), sort: 'mean', limit: 1, cursor });

    expect(await list({ query: parse('reward:0') })).toEqual([['one', 2]]);
    expect(await list({ q: 'R_3' })).toEqual([['two', 2]]);
    expect(await list({ q: 'tr_1', query: parse('reward:0') })).toEqual([]);
    expect(await list({ query: parse('model:a'), run: 's' })).toEqual([]);
    expect(await list({ query: parse('role:user'), run: 's' })).toEqual([['three', 1]]);
    expect([...first.items, ...second.items].map(({ key, reward }) => [key, reward.mean])).toEqual([
      ['two', 2.5],
      ['one', 0.5],
    ]);
    expect(second.next_cursor).toBeNull();
  });

  test('finds nothing in other organizations', async () => {
    const store = await openFilled();
    const query = parse('question');

    expect((await store.search('other', { query, limit: 10 })).items).toEqual([]);
    expect((await store.traces('other', { query: parse('-model:x'), limit: 10 })).items).toEqual([]);
    expect((await store.runs('other', { query: parse('-tool:x -model:x'), limit: 10 })).items).toEqual([]);
    expect((await store.groups('other', { query: parse('-tool:x -model:x'), limit: 10 })).items).toEqual([]);
    expect(await codeOf(store.runStats('other', 'even', 4, { query: parse('-model:x') }))).toBe('NOT_FOUND');
  });

  test('lists exactly the traces that match, for any terms', async () => {
    const store = await openFilled();
    const all = (await store.traces(ORG, { limit: 100, order: 'asc' })).items;
    const terms = fc.constantFrom(
      ...[
        'model:k',
        'model:S',
        'model:"',
        'model:ß',
        'model:\\\\',
        'run:o',
        'run:=even',
        'env:z',
        'tag:t',
        'tag:=draft',
      ],
      ...['step:>3', 'step:4', 'reward:<0.7', 'errors:0', 'blocks:4', 'meta.level:A', 'meta.n:5', 'task:1', 'name:x'],
    );
    const written = fc.array(fc.tuple(fc.constantFrom('', '-'), terms), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(written, async (parts) => {
        const text = parts.map(([sign, term]) => sign + (term === 'model:"' ? String.raw`model:"\""` : term)).join(' ');
        const expected = all.filter((trace) => matchesTrace(parse(text).terms, trace));

        expect([text, await traces(store, text)]).toEqual([text, expected.map(({ id }) => id.slice(3)).join(' ')]);
      }),
      { numRuns: runs(60) },
    );
  });
}
