import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TraceClient } from 'ors-kit/trace';
import { describeInBrowser } from '../in-browser.ts';
import { openViewer, type Reader } from './reader.ts';
import { logCalls, type Served, serveFilled, type ToolStep } from './served.ts';

const REWARDS = [0.25, -1, 0.5, 1, 0, 0.75, -0.25, 0.125];

async function logGroup(traces: TraceClient, run: string, columns: readonly (readonly ToolStep[])[]): Promise<void> {
  for (const [rollout_index, calls] of columns.entries()) {
    const id = `tr_${run}_${rollout_index}`;
    const trace = traces.createTrace({
      id,
      run,
      environment: 'toy',
      split: 'train',
      task_spec: { of: run },
      rollout_index,
    });
    logCalls(trace, calls);
    await trace.finish();
  }
}

const submit = (reward?: number): ToolStep => ({ tool: 'submit', ...(reward !== undefined && { reward }) });

/** The second and the fourth step differ; the arguments of the third are equal, in another order. */
const LEFT: readonly ToolStep[] = [
  { tool: 'look', input: { at: 'map' } },
  { tool: 'walk', input: { to: 'north' } },
  { tool: 'take', input: { what: 'key', hand: 'left' } },
  { tool: 'open', input: { what: 'door' } },
];
const RIGHT: readonly ToolStep[] = [
  { tool: 'look', input: { at: 'map' } },
  { tool: 'walk', input: { to: 'south' } },
  { tool: 'take', input: { hand: 'left', what: 'key' } },
  { tool: 'open', input: { what: 'door' } },
  { tool: 'read', input: { what: 'sign' } },
];

const openGroup = (url: string, run: string, query = '') => openColumns(url, `run=${run}${query}`);

async function openColumns(url: string, query: string): Promise<Reader> {
  const reader = await openViewer(url, `?view=group&${query}`, { width: 2_200 });
  await reader.until(`/rows? of steps/.test(document.querySelector('.group-line')?.textContent ?? '')`);
  return reader;
}

/** The server computes the numbers of a group of a run; the page computes those of selected traces. */
const ADDRESSES: Readonly<Record<string, (run: string, size: number) => string>> = {
  'of a run': (run) => `run=${run}`,
  'that were selected': (run, size) =>
    `traces=${Array.from({ length: size }, (_, index) => `tr_${run}_${index}`).join('%2C')}`,
};

/** Returns the value of a name in each column. */
const facts = (reader: Reader, name: string) =>
  reader.evaluate<string[]>(
    `[...document.querySelectorAll('.group-head dl')].map((list) => [...list.querySelectorAll('dt')].find((it) => it.textContent === '${name}')?.nextElementSibling.innerText)`,
  );

const summary = (reader: Reader) => reader.texts('.group-summary dd');
const signed = (value: number) => (value > 0 ? '+' : '') + value.toFixed(3).replace('-', '−');

describeInBrowser('the page of a group')('the page of a group', () => {
  let served: Served;

  beforeAll(async () => {
    served = await serveFilled(async (traces) => {
      await logGroup(
        traces,
        'eight',
        REWARDS.map((reward) => [{ tool: 'look' }, submit(reward)]),
      );
      await logGroup(
        traces,
        'solved',
        Array.from({ length: 4 }, () => [submit(1)]),
      );
      await logGroup(traces, 'half', [[submit(1)], [submit()], [submit(0)]]);
      await logGroup(traces, 'pair', [LEFT, RIGHT]);
    });
  });
  afterAll(() => served?.[Symbol.asyncDispose]());

  test.each(Object.entries(ADDRESSES))(
    'shows eight rollouts %s as eight columns by reward, with mean, deviation and advantages',
    async (_, named) => {
      const sorted = REWARDS.toSorted((one, other) => other - one);
      const mean = sorted.reduce((sum, each) => sum + each, 0) / 8;
      const std = Math.sqrt(sorted.reduce((sum, each) => sum + (each - mean) ** 2, 0) / 8);
      await using reader = await openColumns(served.url, named('eight', 8));

      expect(await facts(reader, 'reward')).toEqual(sorted.map((each) => String(each).replace('-', '−')));
      expect(await facts(reader, 'advantage')).toEqual(sorted.map((each) => signed((each - mean) / (std + 1e-6))));
      expect(await facts(reader, 'length')).toEqual(sorted.map(() => '2 steps'));
      expect((await summary(reader)).slice(0, 5)).toEqual(['8', mean.toFixed(3), std.toFixed(3), '−1.000', '1.000']);
    },
  );

  test.each(Object.entries(ADDRESSES))(
    'shows advantages of 0 and no learning signal for rollouts %s whose rewards are all equal',
    async (_, named) => {
      await using reader = await openColumns(served.url, named('solved', 4));

      expect(await facts(reader, 'advantage')).toEqual(['0.000', '0.000', '0.000', '0.000']);
      expect(await summary(reader)).toEqual([
        '4',
        '1.000',
        '0.000',
        '1.000',
        '1.000',
        expect.stringMatching(/^zero-variance: all 1/),
      ]);
      expect(await reader.text('main')).not.toContain('NaN');
    },
  );

  test('shows no advantage for a rollout without a reward, and ignores it in the others', async () => {
    await using reader = await openGroup(served.url, 'half');

    expect(await facts(reader, 'reward')).toEqual(['1', '0', '–']);
    expect(await facts(reader, 'advantage')).toEqual(['+1.000', '−1.000', '–']);
  });

  test('marks the first step that differs from the reference, and aligns equal steps after it', async () => {
    await using reader = await openGroup(served.url, 'pair', '&reference=tr_pair_0&prefix=open');

    const marked = await reader.evaluate<string[]>(
      `[...document.querySelectorAll('.group-diverges')].map((cell) => cell.closest('tr').querySelector('th').innerText + ' ' + cell.innerText)`,
    );
    const tools = await reader.evaluate<(string | undefined)[][]>(
      `[...document.querySelectorAll('.group-grid tbody tr')].map((row) => [...row.querySelectorAll('.group-cell')].map((cell) => cell.querySelector('strong')?.innerText ?? '–'))`,
    );

    expect(marked).toHaveLength(1);
    expect(marked[0]).toMatch(/^2 /);
    expect(await reader.texts('.group-against span')).toEqual(['≠ row 2']);
    expect(tools).toEqual([...['look', 'walk', 'take', 'open'].map((tool) => [tool, tool]), ['–', 'read']]);
    expect(await reader.texts('.group-mark')).toEqual(['≠ first', '≠']);
  });

  test('folds the common prefix until it is opened', async () => {
    await using reader = await openGroup(served.url, 'pair');
    const folded = await reader.text('.group-folded');

    await reader.click('.group-folded button');
    await reader.until(`!document.querySelector('.group-folded')`);

    expect(folded).toContain('1 step in common');
    expect(await reader.evaluate('location.search')).toContain('prefix=open');
    expect(await reader.text('.group-grid tbody tr')).toContain('look');
  });

  test('links a step to its block in the trace', async () => {
    await using reader = await openGroup(served.url, 'pair', '&reference=tr_pair_0');

    await reader.click('.group-diverges a');
    await reader.until(`document.querySelector('.tr-chosen.tr-call .tr-inner')`);

    expect(await reader.text('.tr-row.tr-chosen')).toContain('south');
  });
});
