import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fillSample } from '../../viewer/sample.ts';
import { describeInBrowser } from '../in-browser.ts';
import { openViewer } from './reader.ts';
import { ask, logCalls, type Served, serveFilled } from './served.ts';

const NEEDLE = 'a unique needle';

describeInBrowser('search')('search', () => {
  let served: Served;

  beforeAll(async () => {
    served = await serveFilled(async (traces) => {
      const trace = traces.createTrace({ id: 'tr_hay', run: 'hay' });
      logCalls(
        trace,
        Array.from({ length: 120 }, (_, index) => ({
          tool: 'dig',
          output: index % 40 === 7 ? `${'hay '.repeat(200)}${NEEDLE} ${index}` : 'hay '.repeat(index % 30),
        })),
      );
      await trace.finish();
    });
    await fillSample(served.url, { steps: 1, longBlocks: 0 });
  });
  afterAll(() => served?.[Symbol.asyncDispose]());

  test('finds text inside payloads, highlights it, and links to its block', async () => {
    await using reader = await openViewer(served.url, '?view=search');
    await reader.until(`document.activeElement?.matches('input[type=search]')`);

    await reader.type(NEEDLE);
    await reader.until(`document.querySelector('.search-progress')?.innerText.includes('that is all')`);
    const hits = await reader.texts('.search-hit');
    const marks = await reader.texts('.search-hit mark');
    await reader.click('.search-hit');
    await reader.until(`document.querySelector('.tr-row.tr-chosen .tr-inner')`);

    expect(hits).toHaveLength(3);
    expect(marks).toEqual([NEEDLE, NEEDLE, NEEDLE]);
    expect(await reader.text('.tr-row.tr-chosen')).toContain(`${NEEDLE} 7`);
  });

  test('finds as many failed calls of a tool across a run as the API returns', async () => {
    const { hits } = await ask<{ hits: unknown[] }>(
      served.url,
      '/blocks?run=countdown-grpo&has_error=true&sub_type=TOOL_RESULT&limit=200',
    );
    await using reader = await openViewer(served.url, '?view=search&run=countdown-grpo&has_error=true');
    await reader.until(`document.querySelector('.search-progress')?.innerText.includes('that is all')`);

    expect(hits.length).toBeGreaterThan(0);
    expect(await reader.texts('.search-hit')).toHaveLength(hits.length);
    expect(await reader.texts('.search-hit .failed')).toHaveLength(hits.length);
  });

  test('steps through the hits within a trace with n and N, and marks and shows each', async () => {
    await using reader = await openViewer(served.url, '?view=trace&trace=tr_hay');
    await reader.until(`document.querySelector('.tr-inner')`);
    const inSight = `[...document.querySelectorAll('.tr-row.tr-chosen mark')].some((mark) => { const box = mark.getBoundingClientRect(), view = document.querySelector('.tr-scroll').getBoundingClientRect(); return box.height > 0 && box.top >= view.top && box.bottom <= view.bottom; })`;
    const count = () => reader.text('.tr-count');
    const chosen = () =>
      reader.evaluate<string>(`document.querySelector('.tr-row.tr-chosen .tr-body').innerText.match(/has (\\d+)/)[1]`);

    await reader.press('/');
    await reader.type(NEEDLE);
    await reader.until(`document.querySelector('.tr-count')?.innerText === '3 hits'`);
    await reader.press('Escape');
    const seen: (readonly [string, string])[] = [];
    for (const key of ['n', 'n', 'n', 'N']) {
      const before = await count();
      await reader.press(key);
      await reader.until(`document.querySelector('.tr-count').innerText !== ${JSON.stringify(before)} && ${inSight}`);
      seen.push([await count(), await chosen()]);
    }

    expect(seen).toEqual([
      ['1 of 3', '7'],
      ['2 of 3', '47'],
      ['3 of 3', '87'],
      ['2 of 3', '47'],
    ]);
    expect(await reader.evaluate('location.search')).toContain('q=a+needle');
  });
});
