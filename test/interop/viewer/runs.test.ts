import { expect, test } from '@jest/globals';
import type { TraceClient } from 'ors-kit/trace';
import { runs } from '../../support/fast-check.ts';
import { describeInBrowser } from '../in-browser.ts';
import { table } from './figures.ts';
import { openViewer, type Reader } from './reader.ts';
import { serveFilled } from './served.ts';

const LONG = 'a-run-with-a-name-that-says-when-where-and-by-which-parameters-it-was-trained-2026-03-01';
// 10,000 with ORS_TEST_RUNS=1.25.
const RUNS = runs(8_000);

describeInBrowser('the page of all runs')('the page of all runs', () => {
  test('shows the count and the mean reward of each run on a phone', async () => {
    await using served = await serveFilled(async (traces) => {
      for (const run of ['short', LONG]) {
        const trace = traces.createTrace({ run });
        trace.logMessage({ role: 'assistant', content: 'done', extra: { reward: 0.25 } });
        await trace.finish();
      }
    });
    await using reader = await openViewer(served.url, '?view=runs', { width: 390, height: 844 });
    await reader.until(`document.querySelectorAll('table.runs tbody tr').length === 2`);

    const rows = await reader.evaluate<string[][]>(
      `[...document.querySelectorAll('table.runs tbody tr')].map((row) => [...row.cells].filter((cell) => { const { width, right } = cell.getBoundingClientRect(); return width > 0 && right <= innerWidth; }).map((cell) => cell.innerText.trim()))`,
    );

    expect(rows.toSorted()).toEqual([
      ['', LONG, '1', '0.250'],
      ['', 'short', '1', '0.250'],
    ]);
    expect(await reader.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  test('shows imported traces with the time at which they were recorded', async () => {
    await using served = await serveFilled(() => {});
    const [created_at, finished_at] = ['2020-01-01T00:00:00.000000Z', '2020-01-01T00:01:05.000000Z'];
    const trace = { id: 'tr_old', run: 'old', status: 'finished', created_at, finished_at };
    await fetch(`${served.url}/v1/organizations/default/import`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-ndjson' },
      body: JSON.stringify({ trace }),
    });
    await using reader = await openViewer(served.url, '?view=runs');
    await reader.until(`document.querySelector('table.traces tbody tr')`);

    const row = await reader.text('table.traces tbody tr');

    expect(row).toMatch(/1 min 5 s\s+\d+y ago imported/);
    expect(await reader.evaluate(`document.querySelector('table.traces time').title`)).toContain(created_at);
  });

  test('sorts by any column, filters, and keeps both in the address and after a reload', async () => {
    await using served = await serveFilled((traces) => fillRuns(traces));
    await using reader = await openViewer(served.url, '?view=runs');
    await reader.until(`document.querySelectorAll('table.runs tbody tr').length === 3`);

    await reader.click('table.runs th button', 'Mean reward');
    await reader.until(`location.search.includes('sort=mean')`);
    const best = await names(reader);
    await reader.click('table.runs th button', 'Mean reward');
    await reader.until(`location.search.includes('order=asc')`);
    const worst = await names(reader);
    await reader.choose('select[aria-label="tag"]', 'kept');
    await reader.until(`document.querySelectorAll('table.runs tbody tr').length === 2`);
    await reader.tab.reload();
    await reader.until(`document.querySelectorAll('table.runs tbody tr').length === 2`);

    expect(best).toEqual(['grpo-2', 'grpo-1', 'eval']);
    expect(worst).toEqual(['eval', 'grpo-1', 'grpo-2']);
    expect(await names(reader)).toEqual(['grpo-1', 'grpo-2']);
    expect(await reader.text('[role=status]')).toBe('2 of 3 runs');
    expect(reader.console).toEqual([]);
  });

  test('shows the selected columns, also of settings, and the rewards by step as a line', async () => {
    await using served = await serveFilled((traces) => fillRuns(traces));
    await using reader = await openViewer(served.url, '?view=runs&sort=run&order=asc');
    await reader.until(`document.querySelectorAll('table.runs tbody tr').length === 3`);
    const lines = await reader.evaluate<string[]>(
      `[...document.querySelectorAll('.runs-trend')].map((it) => it.getAttribute('aria-label'))`,
    );

    await reader.click('button', 'Columns …');
    for (const label of ['Tokens', 'Pass rate', 'Model', 'lr']) {
      await reader.evaluate(
        `[...document.querySelectorAll('dialog label')].find((it) => it.innerText.trim() === '${label}').querySelector('input').click()`,
      );
    }
    await reader.press('Escape');
    await reader.until(`location.search.includes('info.lr')`);
    const shown = await table(reader, 'table.runs');

    expect(lines).toEqual(['mean reward from 0.25 to 0.5', 'mean reward from 0.5 to 1']);
    expect(shown.map((row) => [row.Run, row.Tokens, row['Pass rate'], row.Model, row.lr])).toEqual([
      ['eval', '–', '0.0 %', 'large', '–'],
      ['grpo-1', '200', '0.0 %', 'small', '0.1'],
      ['grpo-2', '200', '50.0 %', 'small', '0.2'],
    ]);
  });

  test('saves the current view with a name, opens and deletes it', async () => {
    await using served = await serveFilled((traces) => fillRuns(traces));
    await using reader = await openViewer(served.url, '?view=runs&sort=mean&columns=mean%2Cmodel');
    await reader.until(`document.querySelector('table.runs tbody tr')`);

    await reader.click('button', 'Views …');
    await reader.click('input[aria-label="Name of the view"]');
    await reader.type('best first');
    await reader.press('Enter');
    await reader.until(`document.querySelector('.runs-views a')`);
    await reader.go('?view=runs');
    await reader.until(`document.querySelector('table.runs tbody tr')`);
    await reader.click('button', 'Views …');
    await reader.click('.runs-views a', 'best first');
    await reader.until(`location.search.includes('sort=mean')`);
    const columns = Object.keys((await table(reader, 'table.runs'))[0] ?? {}).filter((name) => name !== '');
    await reader.click('button', 'Views …');
    await reader.click('.runs-views button');
    await reader.until(`!document.querySelector('.runs-views a')`);

    expect(columns).toEqual(['Run', 'Mean reward', 'Model']);
    expect(await reader.evaluate(`localStorage.getItem('ors-run-views')`)).toBe('{}');
  });

  test('opens the comparison of selected runs by keyboard', async () => {
    await using served = await serveFilled((traces) => fillRuns(traces));
    await using reader = await openViewer(served.url, '?view=runs');
    await reader.until(`document.querySelectorAll('table.runs tbody tr').length === 3`);

    await reader.evaluate(`document.querySelector('input[aria-label="Select grpo-1"]').focus()`);
    await reader.press(' ');
    await reader.evaluate(`document.querySelector('input[aria-label="Select grpo-2"]').focus()`);
    await reader.press(' ');
    await reader.until(`document.querySelector('a.runs-compare')`);
    await reader.evaluate(`document.activeElement.blur()`);
    await reader.press('c');
    await reader.until(`document.querySelector('table.compare-board')`);

    expect(await reader.evaluate('location.search')).toBe('?view=compare-runs&runs=grpo-1%2Cgrpo-2');
  });

  test('tags and deletes all traces of selected runs', async () => {
    await using served = await serveFilled((traces) => fillRuns(traces));
    await using reader = await openViewer(served.url, '?view=runs');
    await reader.until(`document.querySelectorAll('table.runs tbody tr').length === 3`);

    await reader.click('input[aria-label="Select grpo-1"]');
    await reader.click('input[aria-label="Select eval"]');
    await reader.click('.runs-chosen button', 'Tag …');
    await reader.click('dialog input');
    await reader.type('seen');
    await reader.press('Enter');
    await reader.until(`document.querySelector('dialog [role=status]')?.innerText === '3 traces changed.'`);
    const title = await reader.text('dialog h2');
    await reader.press('Escape');
    await reader.until(`document.querySelector('select[aria-label="tag"]').innerText.includes('seen')`);
    await reader.click('input[aria-label="Select eval"]');
    await reader.click('.runs-chosen button', 'Delete …');
    await reader.click('dialog button', 'Delete 2 traces');
    await reader.until(`document.querySelectorAll('table.runs tbody tr').length === 2`);

    expect(title).toBe('Tag all 3 traces of 2 runs');
    expect((await names(reader)).toSorted()).toEqual(['eval', 'grpo-2']);
    expect(await reader.text('.runs-chosen')).toBe('');
    const { items } = await served.store.traces('default', { limit: 10 });
    expect(items.map(({ run, tags }) => `${run} ${tags.join(',')}`).toSorted()).toEqual([
      'eval seen',
      'grpo-2 ',
      'grpo-2 kept',
    ]);
    expect(reader.console).toEqual([]);
  });

  test.each([
    ['?view=runs&q=no such name', 'Search all traces for “no such name”', 'no such name'],
    ['?view=run&run=eval&q=reward:>1 no', 'Search this run for “reward:>1 no”', 'reward:>1 no run:=eval'],
  ])('leads from the filter of %s, which finds no texts of blocks, to the search', async (address, link, query) => {
    await using served = await serveFilled((traces) => fillRuns(traces));
    await using reader = await openViewer(served.url, address);

    await reader.click('.none a', link);
    await reader.until(`document.querySelector('.search-progress')?.innerText.includes('everything was searched')`);

    expect(await reader.evaluate(`document.querySelector('[role=combobox]').value`)).toBe(query);
  });

  test('filters runs and their numbers by a query, with completions, and shows the position of a mistake', async () => {
    await using served = await serveFilled(async (traces) => {
      for (const [run, model, reward] of [
        ['one', 'large', 1],
        ['one', 'small', 0],
        ['two', 'small', 0],
      ] as const) {
        const trace = traces.createTrace({ run, model });
        trace.logMessage({ role: 'assistant', content: 'done', extra: { reward } });
        await trace.finish();
      }
    });
    await using reader = await openViewer(served.url, '?view=runs');
    await reader.until(`document.querySelectorAll('table.runs tbody tr').length === 2`);

    await reader.click('input[type=search]');
    await reader.type('mod');
    await reader.until(`document.querySelector('[role=option]')`);
    await reader.press('ArrowDown', 'Tab');
    await reader.type('large');
    await reader.until(`document.querySelectorAll('table.runs tbody tr').length === 1`);
    const row = await reader.text('table.runs tbody tr');
    const about = await reader.text('.page [role=status]');
    await reader.type(' reward:high');
    await reader.until(`document.querySelector('.search-problem')?.innerText.includes('Character 20')`);
    const invalid = await names(reader);
    const isFocused = await reader.evaluate(`document.activeElement.matches('[role=combobox]')`);
    await reader.go('?view=runs&q=-error:true tw');
    await reader.until(`document.querySelectorAll('table.runs tbody tr').length === 1`);
    const filtered = await names(reader);
    await reader.click('table.runs tbody a', 'two');
    await reader.until(`document.querySelector('table.traces tbody tr')`);
    const address = await reader.evaluate('location.search');
    await reader.click('main a', 'All runs with such traces');
    await reader.until(`document.querySelectorAll('table.runs tbody tr').length === 2`);

    expect(row).toMatch(/^\s*one\s+1\s+1\.000/);
    expect(about).toBe('1 run; their numbers are those of the traces that match');
    expect(invalid).toEqual(['one']);
    expect(isFocused).toBe(true);
    expect(filtered).toEqual(['two']);
    // The name selects runs, and the query their traces.
    expect(address).toBe('?view=run&run=two&q=-error%3Atrue');
    expect(await reader.evaluate('location.search')).toBe('?view=runs&q=-error%3Atrue');
    expect(reader.console).toEqual([]);
  });

  test('shows the first of thousands of runs at once, and sorts all of them', async () => {
    await using served = await serveFilled(() => {});
    for (let run = 0; run < RUNS; run++)
      await served.store.createTrace('default', { run: `run-${run}`, model: `m${run % 7}` });
    await using reader = await openViewer(served.url, '?view=runs');
    await reader.until(`document.querySelectorAll('table.runs tbody tr').length === 100`);
    const interactive = await reader.evaluate<number>('performance.now()');
    await reader.until(
      `document.querySelector('.page [role=status]')?.innerText === '${RUNS.toLocaleString('en')} runs'`,
    );
    const whole = await reader.evaluate<number>('performance.now()');
    await reader.click('table.runs th button', 'Run');
    await reader.until(`location.search.includes('sort=run')`);

    const sorted = await reader.evaluate<number>(`new Promise((done) => {
      const started = performance.now();
      [...document.querySelectorAll('table.runs th button')].find((it) => it.innerText.startsWith('Run')).click();
      const look = () => document.querySelector('table.runs td.name')?.innerText === 'run-0' ? done(performance.now() - started) : requestAnimationFrame(look);
      look();
    })`);

    process.stdout.write(
      `${RUNS} runs: interactive after ${interactive.toFixed(0)} ms, all after ${whole.toFixed(0)} ms, sorted in ${sorted.toFixed(0)} ms\n`,
    );
    expect(interactive).toBeLessThan(whole);
  });
});

const names = (reader: Reader) => reader.texts('table.runs td.name');

/** Two training runs with two steps, and an evaluation. */
async function fillRuns(traces: TraceClient): Promise<void> {
  const log = async (
    run: string,
    model: string,
    rewards: readonly number[],
    step?: number,
    tags: readonly string[] = [],
  ) => {
    for (const reward of rewards) {
      const trace = traces.createTrace({
        ...{ run, model, tags: [...tags], environment: 'maze', task_index: 0 },
        ...(step === undefined
          ? {}
          : { step, run_info: { lr: run === 'grpo-1' ? 0.1 : 0.2 }, metadata: { total_tokens: 100 } }),
      });
      trace.logMessage({ role: 'assistant', content: 'done', extra: { reward } });
      await trace.finish();
    }
  };
  await log('grpo-1', 'small', [0.25], 0, ['kept']);
  await log('grpo-1', 'small', [0.5], 1);
  await log('grpo-2', 'small', [0.5], 0, ['kept']);
  await log('grpo-2', 'small', [1], 1);
  await log('eval', 'large', [0]);
}
