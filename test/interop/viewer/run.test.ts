import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { JSONValue } from '../../../generated/trace.ts';
import { fillSample } from '../../viewer/sample.ts';
import { describeInBrowser } from '../in-browser.ts';
import { named, numbersIn, table } from './figures.ts';
import { openViewer, type Reader } from './reader.ts';
import { fetchJson, importInto, type Served, serveFilled, statsOf, timelessOf, tracesOf } from './served.ts';

const RUN = 'countdown-grpo';
const rows = (reader: Reader) => reader.evaluate<number>(`document.querySelectorAll('table.traces tbody tr').length`);
const amount = (reader: Reader) =>
  reader.evaluate<string>(`[...document.querySelectorAll('.run-line')].at(-1).innerText`);

/** Waits until the line above the table shows this number. */
const untilAmount = (reader: Reader, count: number) =>
  reader.until(`[...document.querySelectorAll('.run-line')].at(-1)?.innerText.startsWith('${count} of 96')`);

const linesOf = (file: string) =>
  file
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JSONValue);

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

  test('filters the table by a range that is dragged over the histogram, and keeps it in the address and after a reload', async () => {
    await using reader = await openRun(served.url);
    const bars = await reader.evaluate<{ x: number; y: number; width: number }>(
      `document.querySelector('.run-bars').getBoundingClientRect().toJSON()`,
    );

    const { edges, histogram } = await statsOf(served.url, RUN, 24);
    const rewards = (await tracesOf(served.url, `run=${RUN}`)).map(({ reward_sum }) => reward_sum ?? Number.NaN);
    // Rewards are below, inside and above the range.
    const [first, last] = [
      histogram.findIndex((count) => count > 0) + 1,
      histogram.findLastIndex((count) => count > 0) - 1,
    ];
    const centreOf = (bin: number) => ({ x: bars.x + (bars.width * (bin + 0.5)) / 24, y: bars.y + 40 });
    const [least, above] = [edges[first] ?? Number.NaN, edges[last + 1] ?? Number.NaN];
    const within = rewards.filter((reward) => reward >= least && reward < above).length;

    await reader.drag(centreOf(first), centreOf(last));
    await untilAmount(reader, within);
    const range = new URLSearchParams(await reader.evaluate<string>('location.search'));
    const before = { shown: await rows(reader), address: await reader.evaluate('location.href') };
    await reader.tab.reload();
    await reader.until(`document.readyState === 'complete'`);
    await untilAmount(reader, within);

    expect(within).toBeGreaterThan(0);
    expect(within).toBeLessThan(96);
    expect(rewards.filter((reward) => reward < least)).not.toEqual([]);
    expect(rewards.filter((reward) => reward >= above)).not.toEqual([]);
    expect([Number(range.get('reward_min')), Number(range.get('reward_max'))]).toEqual([
      least,
      expect.closeTo(above, 9),
    ]);
    expect(before.shown).toBe(within);
    expect({ shown: await rows(reader), address: await reader.evaluate('location.href') }).toEqual(before);
  });

  test('shows the traces that the API returns for the same filters', async () => {
    await using reader = await openRun(served.url);

    for (const filter of [
      'status=error',
      'has_error=true',
      'tag=kept&step=1',
      'reward_min=0&has_error=true&status=finished',
      'reward_max=0.5&tag=first&step=2&has_error=false',
      'q=_2_1&reward_min=0.1',
      'tag=nobody',
    ]) {
      const found = await tracesOf(served.url, `run=${RUN}&${filter}`);
      await reader.go(`?view=run&run=${RUN}&${filter}`);
      await untilAmount(reader, found.length);

      const titles = await reader.evaluate<string[]>(
        `[...document.querySelectorAll('table.traces td.name a')].map((it) => it.title)`,
      );
      expect([filter, await rows(reader)]).toEqual([filter, found.length]);
      expect(titles.toSorted()).toEqual(found.map(({ id }) => id).toSorted());
    }
  });

  test('lets numbers, histogram, groups and export follow a query, and keeps groups whole', async () => {
    const query = 'tool:submit reward:>=0.5 -error:true step:<2';
    const found = await tracesOf(served.url, `run=${RUN}&query=${encodeURIComponent(query)}`);
    const { groups } = await fetchJson<{ groups: { members: { reward: number | null }[] }[] }>(
      served.url,
      `/groups?run=${RUN}&query=${encodeURIComponent(query)}&limit=250`,
    );
    await using reader = await openRun(served.url, `&q=${encodeURIComponent(query)}`);

    await untilAmount(reader, found.length);
    const numbers = await reader.text('.run-numbers');
    await reader.until(`[...document.querySelectorAll('.run-line')][0].innerText.startsWith('${groups.length} group')`);
    await reader.click('button', 'Export …');
    const about = await reader.text('dialog p');
    const file = linesOf(await reader.download(() => reader.click('dialog button', 'jsonl')));

    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(96);
    expect(numbers).toMatch(new RegExp(`TRACES\\s+${found.length}\\s`, 'i'));
    expect(about).toBe(`Traces with ${query}.`);
    expect(file.filter((line) => Object.hasOwn(Object(line), 'trace'))).toHaveLength(found.length);
    expect(groups.flatMap(({ members }) => members).length).toBeGreaterThan(found.length);
    expect(reader.console).toEqual([]);
  });

  test('completes a query, keeps the last valid one while it is typed, and says where texts are found', async () => {
    await using reader = await openRun(served.url);
    const found = await tracesOf(served.url, `run=${RUN}&has_error=true`);

    await reader.click('.run-filters input');
    await reader.type('error:tr');
    await reader.until(`document.querySelector('[role=option]')`);
    await reader.press('ArrowDown', 'Tab');
    await untilAmount(reader, found.length);
    await reader.type('error:timeout');
    await reader.until(`document.querySelector('.search-problem')?.innerText.includes('Character 12')`);

    expect(await reader.text('.search-problem')).toContain('the Search page finds texts of errors');
    expect(await amount(reader)).toMatch(new RegExp(`^${found.length} of 96`));
    expect(await reader.evaluate('document.activeElement.value')).toBe('error:true error:timeout');
    expect(reader.console).toEqual([]);
  });

  test('combines filters by task, reward, status, failed calls and tag', async () => {
    const run = await tracesOf(served.url, `run=${RUN}&step=2`);
    const task = run.find(({ task_index }) => task_index === 0)?.task_key;
    const filters = [`task_key=${task}`, 'reward_min=0.9', 'status=finished', 'has_error=false', 'tag=kept'];
    const found = await tracesOf(served.url, `run=${RUN}&${filters.join('&')}`);
    await using reader = await openRun(served.url, `&${filters.join('&')}`);

    await untilAmount(reader, found.length);
    const chosen = await reader.evaluate<string[]>(
      `[...document.querySelectorAll('.run-filters .run-set')].map((it) => it.getAttribute('aria-label'))`,
    );

    expect(found.length).toBeGreaterThan(0);
    expect(await rows(reader)).toBe(found.length);
    expect(chosen.toSorted()).toEqual(['failed calls', 'status', 'tag', 'task']);
    expect(await reader.text('.run-chip')).toBe('reward ≥ 0.9 ✕');
  });

  test('combines filters that are selected one after the other, and clears them', async () => {
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

  test('opens the comparison of two selected traces', async () => {
    await using reader = await openRun(served.url, '&step=2&sort=reward');

    await reader.click('input[aria-label="Select tr_sample_2_0_1"]');
    await reader.click('input[aria-label="Select tr_sample_2_3_1"]');
    await reader.click('a.run-compare');
    await reader.until(`document.querySelector('.compare-bar')`);

    expect(await reader.evaluate('location.search')).toContain('tr_sample_2_0_1%2Ctr_sample_2_3_1');
    expect(await reader.text('.compare-bar')).toMatch(/^2 changed, 8 the same/);
  });

  test('reports invalid parameters of the address, and removes them on request', async () => {
    await using reader = await openRun(served.url, '&reward_min=abc&status=lost&step=1');
    const reported = await reader.text('.banner');

    await untilAmount(reader, 32);
    await reader.click('.banner a');
    await reader.until(`!document.querySelector('.banner')`);

    expect(reported).toContain('status=lost, reward_min=abc');
    expect(await reader.evaluate('location.search')).toBe(`?view=run&run=${RUN}&step=1`);
  });

  test.each(['.', '..'])(
    'shows a run with the name %s, which cannot be a path segment, with its traces',
    async (run) => {
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
      expect(await reader.text('.banner')).toContain('The path of a URL cannot contain the name');
      expect(await reader.texts('table.traces td.name')).toEqual([`tr_${run.length}`]);
      expect((await reader.texts('.run-numbers strong'))[2]).toBe('1');
      expect(reader.console).toEqual([]);
    },
  );

  test('shows tokens if traces report them', async () => {
    await using counted = await serveFilled(async (traces) => {
      const usage = { input_tokens: 12_000, output_tokens: 345 };
      await traces.createTrace({ id: 'tr_counted', run: 'counted', metadata: { usage } }).finish();
      await traces.createTrace({ id: 'tr_silent', run: 'counted' }).finish();
    });
    await using reader = await openViewer(counted.url, '?view=run&run=counted');
    await reader.until(`document.querySelector('table.traces')`);

    const rows = await reader.texts('table.traces tbody tr');

    expect(rows.map((row) => row.includes('12.3K')).toSorted()).toEqual([false, true]);
    expect(await amount(reader)).toBe('2 of 2 traces; those shown used 12.3K tokens');
  });

  test('downloads every export with as many traces as match, and imports jsonl and ATIF again', async () => {
    const expected = await tracesOf(served.url, `run=${RUN}&status=error`);
    await using reader = await openRun(served.url, '&status=error');
    await reader.click('button', 'Export …');
    await reader.until(`document.querySelector('.run-exports li')`);

    const formats = await reader.texts('.run-exports li button');
    const files = new Map<string, string>();
    for (const format of formats) {
      const save = async () => {
        await reader.click('.run-exports li button', format);
        await reader.until(
          `document.querySelector('.run-exports [role=status]').innerText.endsWith(' of ${format} saved')`,
        );
      };
      files.set(format, await reader.download(save));
    }

    const amounts = formats.map((format) => [format, linesOf(files.get(format) ?? '').length]);

    expect(expected).toHaveLength(3);
    // Each trace is one line, except in jsonl, where each block is one too.
    expect(amounts).toEqual([
      ['jsonl', 3 + expected.reduce((sum, { block_count }) => sum + block_count, 0)],
      ...['openai', 'sharegpt', 'atif', 'otlp-json'].map((format) => [format, 3]),
    ]);
    for (const format of ['jsonl', 'atif']) {
      await using other = await serveFilled(() => {});
      await importInto(other.url, files.get(format) ?? '');
      for (const { id } of expected) expect(await timelessOf(other.url, id)).toEqual(await timelessOf(served.url, id));
    }
  });

  test('shows the numbers of its rewards', async () => {
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

  test('computes the numbers, the histogram and its counts from the traces that match the filters', async () => {
    const found = await tracesOf(served.url, `run=${RUN}&status=finished&has_error=true`);
    const rewards = found.map(({ reward_sum }) => reward_sum ?? Number.NaN);
    await using reader = await openRun(served.url, '&status=finished&has_error=true');
    await reader.until(`document.querySelectorAll('.run-numbers strong')[2]?.innerText === '${found.length}'`);

    const shown = await named(reader, '.run-numbers');
    const counts = await reader.texts('.run-counts span');

    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(96);
    expect(numbersIn(shown['Mean reward'])[0]).toBeCloseTo(
      rewards.reduce((sum, each) => sum + each, 0) / found.length,
      3,
    );
    expect(counts.reduce((sum, each) => sum + Number(each), 0)).toBe(found.length);
  });

  test('shows metrics by step, and draws one of them', async () => {
    await using reader = await openRun(served.url);
    await reader.until(`document.querySelector('.run-later')`);
    await reader.evaluate(`document.querySelector('.run-later').scrollIntoView()`);
    await reader.until(`document.querySelector('table.run-metrics')`);

    const metrics = await table(reader, 'table.run-metrics');
    await reader.choose('select[aria-label="band"]', 'quantiles');
    await reader.click('table.run-metrics a', 'share of groups without variance');
    await reader.until(`document.querySelector('#compare-chart')?.innerText.startsWith('share of groups')`);

    expect(metrics.map(({ Metric }) => Metric)).toEqual([
      ...[
        'reward',
        'pass rate',
        'blocks',
        'share with failed calls',
        'duration (s)',
        'share of groups without variance',
      ],
    ]);
    expect(await reader.evaluate('location.search')).toBe(`?view=run&run=${RUN}&band=quantiles&metric=zero_variance`);
  });

  test('shows an evaluation by environment and model, with pass@k', async () => {
    await using evaluated = await serveFilled(async (traces) => {
      for (const model of ['small', 'large']) {
        for (const [task_index, rewards] of [
          [0, 1],
          [1, 1],
        ].entries()) {
          for (const reward of rewards) {
            const trace = traces.createTrace({ run: 'eval', environment: 'maze', split: 'test', task_index, model });
            trace.logMessage({ role: 'assistant', content: 'done', extra: { reward: model === 'large' ? 1 : reward } });
            await trace.finish();
          }
        }
      }
    });
    await using reader = await openViewer(evaluated.url, '?view=run&run=eval');
    await reader.until(`document.querySelector('table.compare-pass')`);

    const board = await table(reader, 'table.compare-board');
    const [pass] = await table(reader, 'table.compare-pass');

    expect(board.map((row) => [row.Model, row.Tasks, row['Mean reward'], row['Pass rate']])).toEqual([
      ['large', '2', '1.000 ± 0.000', '100.0 % ± 0.0'],
      ['small', '2', '0.750 ± 0.250', '75.0 % ± 25.0'],
    ]);
    // The page names the run.
    expect([Object.keys(board[0] ?? {})[0], Object.keys(pass ?? {})[0]]).toEqual(['Model', 'pass@1']);
    // Two models with two samples of each task: none of them has four.
    expect([pass?.['pass@1'], pass?.['pass@2'], pass?.['pass@4']]).toEqual(['87.5 %', '100.0 %', undefined]);
    expect(reader.console).toEqual([]);
  });
});
