import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { deferred } from '../../../src/core/index.ts';
import { runs } from '../../support/fast-check.ts';
import { describeInBrowser } from '../in-browser.ts';
import { openViewer, type Reader } from './reader.ts';
import { fetchJson, type Served, serveFilled } from './served.ts';

// 100,000 with ORS_TEST_RUNS=0.625.
const BLOCKS = 4 * runs(40_000);
const ALL_ROWS = `${BLOCKS.toLocaleString('en')} rows`;
/** Higher than the limit of a row, so that all of them exceed that of browsers. */
const LINES = 'a line of a long block\n'.repeat(40);
const say = (figure: string) => process.stdout.write(`${BLOCKS} blocks: ${figure}\n`);

/** Returns the milliseconds since the page was requested. */
const now = (reader: Reader) => reader.evaluate<number>('performance.now()');

const rowsInPage = (reader: Reader) => reader.evaluate<number>(`document.querySelectorAll('.tr-row, .tr-item').length`);

describeInBrowser('a huge trace')('a trace of many thousand long blocks', () => {
  let served: Served;

  beforeAll(async () => {
    served = await serveFilled(async (traces) => {
      const trace = traces.createTrace({ id: 'tr_high', name: 'long blocks' });
      for (let index = 0; index < BLOCKS; index++) {
        trace.logMessage({ role: 'assistant', content: `Block ${index}.\n\n${LINES}` });
        if (index % 100 === 0) await traces.ready();
      }
    });
  });
  afterAll(() => served?.[Symbol.asyncDispose]());

  test('reads, scrolls and steps by keys before the outline is complete; End reaches its end, although its height exceeds what a browser can show', async () => {
    await using reader = await openViewer(served.url, '');
    // Most of the outline arrives after the keys, however fast the machine is.
    const keys = deferred();
    let requests = 0;
    await reader.tab.route('**/tr_high/blocks?*fields=skeleton*', async (route) => {
      if (++requests > 3) await keys.promise;
      await route.continue();
    });
    await reader.go('?view=trace&trace=tr_high');
    await reader.until(`document.querySelector('.tr-row .tr-inner')`);
    const first = await now(reader);
    await reader.wheel({ x: 800, y: 500 }, 2_000);
    await reader.until(`document.querySelector('.tr-scroll').scrollTop > 1_000`);
    await reader.press('j');
    await reader.until(`document.querySelector('.tr-row.tr-chosen')`);
    const used = await now(reader);
    const early = await reader.text('.tr-outline-head small');
    keys.resolve();
    await reader.until(`document.querySelector('.tr-outline-head small').innerText === '${ALL_ROWS}'`);
    const whole = await now(reader);
    await reader.press('End');
    await reader.until(
      `document.querySelector('.tr-row.tr-chosen .tr-inner')?.innerText.includes('Block ${BLOCKS - 1}.')`,
    );
    const end = await now(reader);
    const height = await reader.evaluate<number>(`document.querySelector('.tr-rows').offsetHeight`);
    await reader.press('Home');
    await reader.until(`document.querySelector('.tr-row.tr-chosen .tr-inner')?.innerText.includes('Block 0.')`);

    say(`first screen after ${Math.round(first)} ms, scrolled and a block chosen after ${Math.round(used)} ms`);
    say(`all of the outline after ${Math.round(whole)} ms; its end ${Math.round(end - whole)} ms after the key`);
    expect(early).toMatch(/^[\d,]+ rows$/);
    expect(early).not.toBe(ALL_ROWS);
    expect(height).toBeLessThan(17_000_000);
    expect(await rowsInPage(reader)).toBeLessThanOrEqual(400);
    expect(reader.console).toEqual([]);
  });

  test('opens at its last block by a link, and renders its end', async () => {
    const { blocks } = await fetchJson<{ blocks: { id: string }[] }>(
      served.url,
      `/traces/tr_high/blocks?fields=skeleton&after=${BLOCKS - 1}`,
    );
    const [last] = blocks;

    await using reader = await openViewer(served.url, `?view=trace&trace=tr_high#${last?.id}`);
    await reader.until(`document.querySelector('.tr-row.tr-chosen .tr-inner')`);

    say(`a link to the last block landed after ${Math.round(await now(reader))} ms`);
    expect(await reader.text('.tr-row.tr-chosen')).toContain(`Block ${BLOCKS - 1}.`);
    expect(await rowsInPage(reader)).toBeLessThanOrEqual(400);
    expect(reader.console).toEqual([]);
  });
});
