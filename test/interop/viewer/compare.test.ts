import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../in-browser.ts';
import { table } from './figures.ts';
import { openViewer, type Reader } from './reader.ts';
import { logCalls, type Served, serveFilled, type ToolStep } from './served.ts';

const LEFT: readonly ToolStep[] = [
  { tool: 'look', input: { at: 'map' }, output: 'a river' },
  { tool: 'walk', input: { to: 'north' }, output: 'wet' },
  { tool: 'rest', input: {}, output: 'rested' },
  { tool: 'take', input: { what: 'key', hand: 'left' }, output: 'taken' },
  { tool: 'open', input: { what: 'door' }, output: 'open', reward: 1 },
];
const RIGHT: readonly ToolStep[] = [
  { tool: 'look', input: { at: 'map' }, output: 'a river' },
  { tool: 'walk', input: { to: 'south' }, output: 'dry' },
  { tool: 'take', input: { hand: 'left', what: 'key' }, output: 'taken' },
  { tool: 'open', input: { what: 'door' }, output: 'locked', reward: 0 },
  { tool: 'read', input: { what: 'sign' }, output: 'keep out' },
];

/** Logs a trace of calls under one message. */
function logUnderOne(traces: Parameters<Parameters<typeof serveFilled>[0]>[0], id: string, calls: readonly ToolStep[]) {
  const trace = traces.createTrace({ id, run: 'pair', task_spec: { of: 'both' } });
  const message = trace.logMessage({ role: 'user', content: 'Find the way.' });
  calls.forEach(({ tool, input = {}, output = '', reward }, index) => {
    const call = trace.logAct({
      parent_block_id: message.id,
      payload: { call_id: `c${index}`, name: tool, arguments: input },
    });
    trace.logObserve({
      parent_block_id: call.id,
      payload: { call_id: `c${index}`, output },
      extra: reward === undefined ? {} : { reward },
    });
  });
  return trace.finish();
}

const kinds = (reader: Reader) =>
  reader.evaluate<string[]>(
    `[...document.querySelectorAll('.compare-row:not(.compare-same)')].map((row) => row.querySelector('.compare-kind b').innerText + ' ' + row.innerText.match(/call (\\w+)/)?.[1])`,
  );

describeInBrowser('the comparison of two traces')('the comparison of two traces', () => {
  let served: Served;

  beforeAll(async () => {
    served = await serveFilled(async (traces) => {
      await logUnderOne(traces, 'tr_left', LEFT);
      await logUnderOne(traces, 'tr_right', RIGHT);
      const other = traces.createTrace({ id: 'tr_far', run: 'far', task_spec: { of: 'another' } });
      logCalls(other, [{ tool: 'look' }]);
      await other.finish();
    });
  });
  afterAll(() => served?.[Symbol.asyncDispose]());

  test('shows what was changed, added and removed, and folds what is equal', async () => {
    await using reader = await openViewer(served.url, '?view=compare&traces=tr_left%2Ctr_right');
    await reader.until(`document.querySelector('.compare-bar')`);

    expect(await kinds(reader)).toEqual(['~ changed walk', '− removed rest', '≠ result open', '+ added read']);
    expect(await reader.text('.compare-change')).toMatch(/−1\s/);
  });

  test('steps through the differences with n and N, and updates the address', async () => {
    await using reader = await openViewer(served.url, '?view=compare&traces=tr_left%2Ctr_right');
    await reader.until(`document.querySelector('.compare-bar')`);
    const current = () =>
      reader.evaluate<string>(`document.activeElement.querySelector('.compare-kind b')?.innerText ?? ''`);

    await reader.press('n', 'n', 'n');
    await reader.until(`location.search.includes('at=3')`);
    await reader.until(`document.activeElement.matches('.compare-row[aria-current]')`);
    const third = await current();
    await reader.press('N');
    await reader.until(`location.search.includes('at=2')`);
    await reader.until(`document.activeElement.matches('.compare-row.compare-removed')`);

    expect(third).toBe('≠ result');
    expect(await current()).toBe('− removed');
  });

  test('swaps added and removed when the sides are swapped', async () => {
    await using reader = await openViewer(served.url, '?view=compare&traces=tr_left%2Ctr_right');
    await reader.until(`document.querySelector('.compare-bar')`);

    await reader.click('button', 'Swap');
    await reader.until(`location.search.includes('tr_right%2Ctr_left')`);
    await reader.until(`document.querySelector('.compare-sides td.name')?.innerText === 'tr_right'`);

    expect((await kinds(reader)).toSorted()).toEqual(
      ['~ changed walk', '+ added rest', '≠ result open', '− removed read'].toSorted(),
    );
  });

  test('reports traces of different tasks, and links to the runs if one does not exist', async () => {
    await using reader = await openViewer(served.url, '?view=compare&traces=tr_left%2Ctr_far');
    await reader.until(`document.querySelector('.banner')`);
    const said = await reader.text('.banner');
    await reader.go('?view=compare&traces=tr_left%2Ctr_nowhere');
    await reader.until(`document.querySelector('.failure')`);

    expect(said).toBe('The traces have different tasks.');
    expect(await reader.text('.failure h1')).toBe('Not found');
  });

  test.each([
    ['tr_left%2Ctr_left', 'Both are the same trace'],
    ['tr_left', 'Choose another trace'],
    ['', 'Choose two traces'],
  ])('explains what an address without two traces lacks: %j', async (traces, title) => {
    await using reader = await openViewer(served.url, `?view=compare&traces=${traces}`);
    await reader.until(`document.querySelector('.notice')`);

    expect(await reader.text('.notice h1')).toBe(title);
    expect(await reader.texts('.notice a')).toContain('All runs');
  });
});

describeInBrowser('the comparison of runs')('the comparison of runs', () => {
  let served: Served;

  beforeAll(async () => {
    served = await serveFilled(async (traces) => {
      // Rewards by task and sample; the second run gains task 0 and loses task 2.
      const runs = {
        'a,b': [
          [0, 0],
          [1, 0],
          [1, 1],
        ],
        other: [
          [1, 1],
          [1, 0],
          [0, 0],
        ],
      };
      for (const [run, tasks] of Object.entries(runs)) {
        for (const step of [0, 1]) {
          for (const [task_index, samples] of tasks.entries()) {
            for (const reward of samples) {
              const place = { run, step, model: `model of ${run}`, environment: 'maze', split: 'test', task_index };
              const trace = traces.createTrace({ ...place, metadata: { loss: step + reward, cost: 0.0125 } });
              trace.logMessage({ role: 'assistant', content: 'done', extra: { reward } });
              await trace.finish();
            }
          }
        }
      }
    });
  });
  afterAll(() => served?.[Symbol.asyncDispose]());

  const ADDRESS = `?view=compare-runs&runs=${encodeURIComponent(`${encodeURIComponent('a,b')},other`)}`;

  test('shows a chart, a leaderboard, pass@k, paired differences and flips of two runs', async () => {
    await using reader = await openViewer(served.url, ADDRESS);
    await reader.until(`document.querySelector('.compare-plot canvas')`);

    const board = await table(reader, 'table.compare-board');
    const passes = await table(reader, 'table.compare-pass');
    const [paired] = await table(reader, 'table.compare-paired');
    const flips = await table(reader, '.compare-flips table');

    // Means of tasks: 0, 0.5 and 1 in both runs.
    expect(
      board.map((row) => [row.Run, row.Tasks, row.Traces, row['Mean reward'], row['Pass rate'], row['Total cost']]),
    ).toEqual([
      ['a,b', '3', '12', '0.500 ± 0.289', '50.0 % ± 28.9', '$0.15'],
      ['other', '3', '12', '0.500 ± 0.289', '50.0 % ± 28.9', '$0.15'],
    ]);
    expect(passes.map((row) => [row.Run, row['pass@1'], row['pass@4']])).toEqual([
      ['a,b', '50.0 %', '66.7 %'],
      ['other', '50.0 %', '66.7 %'],
    ]);
    expect(paired).toMatchObject({
      Run: 'other',
      'Tasks in both': '3',
      'Reward [95 % interval]': '0.000 [−2.484, +2.484]',
      Verdict: 'not distinguishable',
      Gained: '1',
      Lost: '1',
    });
    expect(flips.map((row) => [row.Task, row.Change, row.Before, row.After])).toEqual([
      ['maze test[0]', '↑ gained', '0.000', '1.000'],
      ['maze test[2]', '↓ lost', '1.000', '0.000'],
    ]);
    expect(reader.console).toEqual([]);
  });

  test('compares runs that the address names one by one, and keeps them when it changes', async () => {
    await using reader = await openViewer(served.url, '?view=compare-runs&runs=other&runs=a%252Cb');
    await reader.until(`document.querySelector('.compare-plot canvas')`);

    await reader.choose('select[aria-label="step"]', 'last');

    expect(await reader.texts('table.compare-paired td.name')).toEqual(['a,b']);
    expect(await reader.evaluate('location.search')).toBe('?view=compare-runs&runs=other&runs=a%252Cb&step=last');
    expect((await table(reader, 'table.compare-board')).map((row) => row.Traces)).toEqual(['6', '6']);
  });

  test('selects metric, axis, smoothing, step and baseline in the address', async () => {
    await using reader = await openViewer(served.url, ADDRESS);
    await reader.until(`document.querySelector('.compare-plot canvas')`);

    await reader.choose('select[aria-label="metric"]', 'loss');
    await reader.choose('select[aria-label="smoothing"]', '0.6');
    await reader.choose('select[aria-label="step"]', 'last');
    await reader.choose('select[aria-label="baseline"]', 'other');
    await reader.click('.compare-chart summary');
    await reader.until(`document.querySelector('.compare-points tbody tr')`);
    const points = await table(reader, '.compare-points table');
    const [paired] = await table(reader, 'table.compare-paired');

    expect(await reader.text('#compare-chart')).toBe('loss by training step');
    // Means of 0.5 and 1.5; smoothed, the second one is (0.6 * 0.4 * 0.5 + 0.4 * 1.5) / 0.64.
    expect(points.map((row) => [row.Step, row['a,b'], row.other])).toEqual([
      ['0', '0.5', '0.5'],
      ['1', '1.125', '1.125'],
    ]);
    expect(paired).toMatchObject({ Run: 'a,b', Gained: '1', Lost: '1' });
    expect((await table(reader, 'table.compare-board')).map((row) => row.Traces)).toEqual(['6', '6']);
  });

  test.each([
    ['', 'Choose runs to compare'],
    ['other', 'Choose another run'],
  ])('explains what an address without two runs lacks: %j', async (runs, title) => {
    await using reader = await openViewer(served.url, `?view=compare-runs&runs=${runs}`);
    await reader.until(`document.querySelector('.notice')`);

    expect(await reader.text('.notice h1')).toBe(title);
  });
});
