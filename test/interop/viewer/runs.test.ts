import { expect, test } from '@jest/globals';
import { describeInBrowser } from '../in-browser.ts';
import { openViewer } from './reader.ts';
import { serveFilled } from './served.ts';

const LONG = 'a-run-with-a-name-that-says-when-where-and-by-which-parameters-it-was-trained-2026-03-01';

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
      [LONG, '1', '0.250'],
      ['short', '1', '0.250'],
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
});
