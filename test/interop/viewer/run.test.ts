import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fillSample } from '../../viewer/sample.ts';
import { describeInBrowser } from '../in-browser.ts';
import { openViewer, type Reader } from './reader.ts';
import { type Served, serveFilled, statsOf, tracesOf } from './served.ts';

const RUN = 'countdown-grpo';
const rows = (reader: Reader) => reader.evaluate<number>(`document.querySelectorAll('table.traces tbody tr').length`);
const amount = (reader: Reader) =>
  reader.evaluate<string>(`[...document.querySelectorAll('.run-line')].at(-1).innerText`);

/** Waits until the line above the table tells this number. */
const untilAmount = (reader: Reader, count: number) =>
  reader.until(`[...document.querySelectorAll('.run-line')].at(-1)?.innerText.startsWith('${count} of 96')`);

async function openRun(url: string, query = ''): Promise<Reader> {
  const reader = await openViewer(url, `?view=run&run=${RUN}${query}`);
  await reader.until(`document.querySelectorAll('.run-line').length > 1 && document.querySelector('.run-bars')`);
  return reader;
}

describeInBrowser('the page of a run')('the page of a run', () => {
  let served: Served;

  beforeAll(async () => {
    served = await serveFilled(() => {});
    await fillSample(served.url, { steps: 3, longBlocks: 0 });
  });
  afterAll(() => served?.[Symbol.asyncDispose]());

  test('a range that is drawn over the histogram filters the table, stands in the address and survives a reload', async () => {
    await using reader = await openRun(served.url);
    const bars = await reader.evaluate<{ x: number; y: number; width: number }>(
      `document.querySelector('.run-bars').getBoundingClientRect().toJSON()`,
    );

    await reader.drag({ x: bars.x + bars.width * 0.7, y: bars.y + 40 }, { x: bars.x + bars.width - 3, y: bars.y + 50 });
    await reader.until(`location.search.includes('reward_min')`);
    const range = new URLSearchParams(await reader.evaluate<string>('location.search'));
    const [least, greatest] = [Number(range.get('reward_min')), Number(range.get('reward_max') ?? Infinity)];
    const all = await tracesOf(served.url, `run=${RUN}`);
    const within = all.filter(({ reward_sum }) => (reward_sum ?? -9) >= least && (reward_sum ?? 9) <= greatest).length;
    await untilAmount(reader, within);
    const before = { shown: await rows(reader), address: await reader.evaluate('location.href') };
    await reader.tab.reload();
    await reader.until(`document.readyState === 'complete'`);
    await untilAmount(reader, within);

    expect(within).toBeGreaterThan(0);
    expect(within).toBeLessThan(96);
    expect(before.shown).toBe(within);
    expect({ shown: await rows(reader), address: await reader.evaluate('location.href') }).toEqual(before);
  });

  test.each([
    'status=error',
    'has_error=true',
    'tag=kept&step=1',
    'reward_min=0&has_error=true&status=finished',
    'reward_max=0.5&tag=first&step=2&has_error=false',
    'q=_2_1&reward_min=0.1',
    'tag=nobody',
  ])('the filters %s come to as many traces as the API has', async (filter) => {
    const found = await tracesOf(served.url, `run=${RUN}&${filter}`);
    await using reader = await openRun(served.url, `&${filter}`);

    await untilAmount(reader, found.length);

    expect(await rows(reader)).toBe(found.length);
    expect([...(await reader.texts('table.traces td.name a'))].sort()).toHaveLength(found.length);
    const titles = await reader.evaluate<string[]>(
      `[...document.querySelectorAll('table.traces td.name a')].map((it) => it.title)`,
    );
    expect(titles.toSorted()).toEqual(found.map(({ id }) => id).toSorted());
  });

  test('filters that are chosen one after the other combine, and can be cleared', async () => {
    await using reader = await openRun(served.url);
    const task = (await tracesOf(served.url, `run=${RUN}&step=1`)).find(({ task_index }) => task_index === 1)?.task_key;
    const left = await tracesOf(served.url, `run=${RUN}&step=1&task_key=${task}&has_error=true`);

    await reader.choose('select[aria-label="step"]', '1');
    await untilAmount(reader, 32);
    await reader.choose('select[aria-label="task"]', String(task));
    await untilAmount(reader, 8);
    await reader.choose('select[aria-label="failed calls"]', 'true');
    await untilAmount(reader, left.length);
    const combined = await rows(reader);
    await reader.click('.run-filters button', 'Clear filters');
    await untilAmount(reader, 96);

    expect(left.length).toBeGreaterThan(0);
    expect(left.length).toBeLessThan(8);
    expect(combined).toBe(left.length);
    expect(await amount(reader)).toBe('96 of 96 traces');
  });

  test('two traces that are ticked open the comparison', async () => {
    await using reader = await openRun(served.url, '&step=2&sort=reward');

    await reader.click('input[aria-label="Choose tr_sample_2_0_1"]');
    await reader.click('input[aria-label="Choose tr_sample_2_3_1"]');
    await reader.click('a.run-compare');
    await reader.until(`document.querySelector('.compare-bar')`);

    expect(await reader.evaluate('location.search')).toContain('tr_sample_2_0_1%2Ctr_sample_2_3_1');
    expect(await reader.text('.compare-bar')).toMatch(/^2 changed, 8 the same/);
  });

  test('what cannot be used of the address is told, and can be taken out of it', async () => {
    await using reader = await openRun(served.url, '&reward_min=abc&status=lost&step=1');
    const told = await reader.text('.banner');

    await untilAmount(reader, 32);
    await reader.click('.banner a');
    await reader.until(`!document.querySelector('.banner')`);

    expect(told).toContain('status=lost, reward_min=abc');
    expect(await reader.evaluate('location.search')).toBe(`?view=run&run=${RUN}&step=1`);
  });

  test.each(['.', '..'])('a run with the name %s, which no path can have, is shown with its traces', async (run) => {
    await using odd = await serveFilled(async (traces) => {
      for (const name of ['a.b', run]) {
        const trace = traces.createTrace({ id: `tr_${name.length}`, run: name });
        trace.logMessage({ role: 'user', content: 'hello' });
        await trace.finish();
      }
    });
    await using reader = await openViewer(odd.url, '?view=runs');

    await reader.click('table.runs tbody tr:first-child td.name a');
    await reader.until(`document.querySelector('table.traces')`);

    expect(await reader.text('h1')).toBe(run);
    expect(await reader.text('.banner')).toContain('No path of a URL can have the name');
    expect(await reader.texts('table.traces td.name')).toEqual([`tr_${run.length}`]);
    expect((await reader.texts('.run-numbers strong'))[2]).toBe('1');
    expect(reader.console).toEqual([]);
  });

  test('tokens are shown where traces tell them', async () => {
    await using counted = await serveFilled(async (traces) => {
      const usage = { input_tokens: 12_000, output_tokens: 345 };
      await traces.createTrace({ id: 'tr_counted', run: 'counted', metadata: { usage } }).finish();
      await traces.createTrace({ id: 'tr_silent', run: 'counted' }).finish();
    });
    await using reader = await openViewer(counted.url, '?view=run&run=counted');
    await reader.until(`document.querySelector('table.traces')`);

    const rows = await reader.texts('table.traces tbody tr');

    expect(rows.map((row) => row.includes('12.3K')).toSorted()).toEqual([false, true]);
    expect(await amount(reader)).toBe('2 of 2 traces; those shown took 12.3K tokens');
  });

  test('its numbers are those of its rewards', async () => {
    const rewards = (await tracesOf(served.url, `run=${RUN}`)).map(({ reward_sum }) => reward_sum ?? Number.NaN);
    const mean = rewards.reduce((sum, each) => sum + each, 0) / rewards.length;
    const squares = rewards.reduce((sum, each) => sum + (each - mean) ** 2, 0);
    await using reader = await openRun(served.url);

    const shown = await reader.texts('.run-numbers dd');

    expect(shown[0]).toContain(mean.toFixed(3));
    expect(shown[0]).toContain(`± ${Math.sqrt(squares / (rewards.length - 1) / rewards.length).toFixed(3)}`);
    expect(shown[1]).toContain(Math.sqrt(squares / rewards.length).toFixed(3));
    expect((await statsOf(served.url, RUN)).run.trace_count).toBe(96);
  });
});
