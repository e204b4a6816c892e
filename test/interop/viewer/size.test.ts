import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import countdown from '../../../examples/countdown/environment.ts';
import { fillSample } from '../../viewer/sample.ts';
import { describeInBrowser } from '../in-browser.ts';
import { openViewer } from './reader.ts';
import { type Served, serveRecorded } from './served.ts';

/** Maximum gzipped size of the JavaScript that a page loads before it is complete. */
const LIMIT = 60 * 1024;

/** Pages, with a selector that exists when they are complete. */
const PAGES = [
  ['runs', 'tbody tr'],
  ['run&run=countdown-grpo', 'canvas'],
  ['search&run=countdown-grpo&has_error=true', 'main a[href*="trace="]'],
  ['rate&q=run:countdown-grpo', '.rate-message'],
  ['trace&trace=tr_sample_0_0_0', '.tr-row .tr-inner'],
  ['trace&trace=tr_long', '.tr-row .tr-inner'],
  ['compare&traces=tr_sample_0_0_0%2Ctr_sample_0_0_1', 'main table'],
  ['compare-runs&runs=countdown-grpo%2Coddities', '.compare-plot canvas'],
  ['group&traces=tr_sample_0_0_0%2Ctr_sample_0_0_1', '.group-cell'],
  ['environments', '.env-tools'],
  ['environment&environment=countdown', '.env-tasks'],
  ['play&environment=countdown&split=train&index=0', '.notice button'],
] as const;

describeInBrowser('the size of the viewer')('the viewer', () => {
  let served: Served;

  beforeAll(async () => {
    served = await serveRecorded([countdown]);
    await fillSample(served.url, { steps: 2, longBlocks: 400 });
  });
  afterAll(() => served?.[Symbol.asyncDispose]());

  test('loads at most 60 KB of JavaScript for each page', async () => {
    await using reader = await openViewer(served.url, '?view=runs');

    for (const [view, shown] of PAGES) {
      await reader.go(`?view=${view}`);
      await reader.until(`document.querySelector('${shown}')`);
      const scripts = await reader.evaluate<readonly string[]>(
        `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))`,
      );
      const sizes = await Promise.all(scripts.map(gzippedSize));
      const sum = sizes.reduce((all, size) => all + size, 0);

      process.stdout.write(`?view=${view}: ${(sum / 1024).toFixed(1)} KB in ${scripts.length} files\n`);
      expect(scripts.length).toBeGreaterThan(0);
      expect([view, Math.max(sum, LIMIT)]).toEqual([view, LIMIT]);
      expect(reader.console).toEqual([]);
    }
  });
});

async function gzippedSize(url: string): Promise<number> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} for ${url}`);
  return gzipSync(await response.arrayBuffer()).length;
}
