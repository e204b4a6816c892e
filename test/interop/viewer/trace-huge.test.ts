import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fillSample } from '../../viewer/sample.ts';
import { describeInBrowser } from '../in-browser.ts';
import { openViewer, type Reader } from './reader.ts';
import { ask, type Served, serveFilled } from './served.ts';

const BLOCKS = 100_000;
const say = (figure: string) => process.stdout.write(`${BLOCKS} blocks: ${figure}\n`);

/** Returns the milliseconds since the page was requested. */
const now = (reader: Reader) => reader.evaluate<number>('performance.now()');

const rowsInPage = (reader: Reader) => reader.evaluate<number>(`document.querySelectorAll('.tr-row, .tr-item').length`);

describeInBrowser('a huge trace')('a trace of 100,000 blocks', () => {
  let served: Served;

  beforeAll(async () => {
    served = await serveFilled(() => {});
    await fillSample(served.url, { steps: 0, longBlocks: BLOCKS });
  });
  afterAll(() => served?.[Symbol.asyncDispose]());

  test('reads, scrolls and steps by keys before the outline is complete', async () => {
    await using reader = await openViewer(served.url, '?view=trace&trace=tr_long');
    await reader.until(`document.querySelector('.tr-row .tr-inner')`);
    const first = await now(reader);
    await reader.wheel({ x: 800, y: 500 }, 2_000);
    await reader.until(`document.querySelector('.tr-scroll').scrollTop > 1_000`);
    await reader.press('j');
    await reader.until(`document.querySelector('.tr-row.tr-chosen')`);
    const used = await now(reader);
    const early = await reader.text('.tr-outline-head small');
    await reader.until(`document.querySelector('.tr-outline-head small').innerText === '100,000 rows'`);
    const whole = await now(reader);

    say(`first screen after ${Math.round(first)} ms, scrolled and a block chosen after ${Math.round(used)} ms`);
    say(`all of the outline after ${Math.round(whole)} ms`);
    expect(early).toMatch(/^[\d,]+ rows$/);
    expect(early).not.toBe('100,000 rows');
    expect(await rowsInPage(reader)).toBeLessThanOrEqual(400);
    expect(reader.console).toEqual([]);
  });

  test('opens at its last block by a link, and renders its end', async () => {
    const { blocks } = await ask<{ blocks: { id: string }[] }>(
      served.url,
      `/traces/tr_long/blocks?fields=skeleton&after=${BLOCKS - 1}`,
    );
    const [last] = blocks;

    await using reader = await openViewer(served.url, `?view=trace&trace=tr_long#${last?.id}`);
    await reader.until(`document.querySelector('.tr-row.tr-chosen .tr-inner')`);

    say(`a link to the last block landed after ${Math.round(await now(reader))} ms`);
    expect(await reader.text('.tr-row.tr-chosen')).toContain(`total ${BLOCKS / 4 - 1}`);
    expect(await rowsInPage(reader)).toBeLessThanOrEqual(400);
    expect(reader.console).toEqual([]);
  });
});
