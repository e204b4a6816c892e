import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RunningServer } from 'ors-kit/server';
import countdown from '../../../examples/countdown/environment.ts';
import maze from '../../../examples/maze/environment.ts';
import { createTraceApi } from '../../../src/trace/api/index.ts';
import { createMemoryStore } from '../../../src/trace/store/index.ts';
import { start } from '../../support/client.ts';
import { fillSample } from '../../viewer/sample.ts';
import { violationsIn } from '../chromium.ts';
import { describeInBrowser } from '../in-browser.ts';
import { openViewer, type Reader } from './reader.ts';

/** Every page, with a selector that exists when it is complete. */
const PAGES: readonly (readonly [string, string])[] = [
  ['?view=runs', 'table.runs'],
  ['?view=run&run=countdown-grpo', 'table.traces'],
  ['?view=group&run=countdown-grpo&environment=countdown&split=train&step=0', '.group-choice'],
  ['?view=group&traces=tr_sample_0_1_0%2Ctr_sample_0_1_1', '.group-cell'],
  ['?view=trace&trace=tr_odd', '.tr-inner'],
  ['?view=compare&traces=tr_sample_0_1_0%2Ctr_sample_0_1_1', '.compare-bar'],
  ['?view=compare-runs&runs=countdown-grpo%2Coddities', '.compare-plot canvas'],
  ['?view=compare-runs&runs=oddities', '.notice'],
  ['?view=compare', '.notice'],
  ['?view=group&run=nowhere', '.notice'],
  ['?view=trace&trace=tr_nowhere', '.failure'],
  ['?view=search&q=evaluate', '.search-hit'],
  ['?view=search', '.search-fields'],
  ['?view=search&q=error:true&by=error', '.search-errors'],
  ['?view=search&q=model:small%20reward:>0.5', '.search-actions'],
  ['?view=search&q=reward:high', '.search-caret'],
  ['?view=rate&q=run:countdown-grpo', '.rate-message'],
  ['?view=environments', '.env-tools'],
  ['?view=environment&environment=countdown&split=train', '.env-tasks'],
  ['?view=environment&environment=nowhere', '.notice'],
  ['?view=play&environment=maze&split=train&index=0', '.play-tools form'],
];
/** The layout of the one in the middle is that of the others in part, so axe does not run in it. */
const SIZES = [
  { width: 1440, height: 900, hasAxe: true },
  { width: 1024, height: 768, hasAxe: false },
  { width: 390, height: 844, hasAxe: true },
] as const;

describeInBrowser('the viewer')('every page', () => {
  const store = createMemoryStore();
  const traces = createTraceApi(store, { viewer: false, metrics: false });
  let server: RunningServer;
  /** Page that the tests of all pages share: their scripts are compiled once. */
  let shared: Reader;

  beforeAll(async () => {
    server = await start([countdown, maze], { mounts: { '/v1': traces.handler } });
    await fillSample(server.url, { steps: 2, longBlocks: 0 });
    shared = await openViewer(server.url, '?view=runs');
  });
  afterAll(async () => {
    await shared?.[Symbol.asyncDispose]();
    await server?.close();
    traces.close();
    await store.close();
  });

  test.each(PAGES)(
    '%s is accessible in both themes and at every width, and never scrolls sideways',
    async (query, sign) => {
      const reader = shared;
      const said = reader.console.length;
      await reader.resize(1440, 900);
      await reader.go(query);
      const isShown = `document.querySelector(${JSON.stringify(sign)}) && !document.querySelector('.skeleton')`;
      if (query.startsWith('?view=play')) await reader.click('button', 'Start an episode');
      await reader.until(isShown);

      await reader.prefer('dark');
      expect(await violationsIn(reader, ['color-contrast'])).toEqual([]);
      await reader.prefer('light');
      for (const { width, height, hasAxe } of SIZES) {
        await reader.resize(width, height);
        await reader.until(isShown);
        // Components that measure themselves render again in the next frame.
        await reader.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
        if (hasAxe) expect([width, await violationsIn(reader)]).toEqual([width, []]);
        const [shown, whole] = await reader.evaluate<[number, number]>(
          '[document.documentElement.scrollWidth, innerWidth]',
        );
        expect([shown <= width, whole]).toEqual([true, width]);
      }

      // The browser reports the response for something that does not exist.
      const isMissing = query.includes('nowhere');
      expect(reader.console.slice(said).filter((text) => !isMissing || !text.includes('status of 404'))).toEqual([]);
      expect([...reader.hosts]).toEqual([server.url]);
    },
  );

  test('leads the keyboard past the header with the first link', async () => {
    await using reader = await openViewer(server.url, '?view=trace&trace=tr_odd');
    await reader.until(`document.querySelector('.tr-inner')`);
    const height = () => reader.evaluate<string>(`getComputedStyle(document.querySelector('.skip')).clipPath`);
    const hidden = await height();

    await reader.press('Tab');
    const first = await reader.evaluate(`document.activeElement.textContent`);
    const shown = await height();
    await reader.press('Enter');

    expect([first, hidden, shown]).toEqual(['Skip to the content', 'inset(50%)', 'none']);
    expect(await reader.evaluate(`document.activeElement.tagName + location.hash`)).toBe('MAIN');
  });

  test('dims the space for the scroll bar with the page behind a dialog', async () => {
    await using reader = await openViewer(server.url, '?view=runs');
    await reader.until(`document.querySelector('table.runs')`);
    const grounds = () =>
      reader.evaluate<string[]>(
        `[document.documentElement, document.body].map((it) => getComputedStyle(it).backgroundColor)`,
      );
    const [before] = await grounds();

    await reader.press('?');
    await reader.until(`document.querySelector('dialog[open]')`);
    const [gutter, page] = await grounds();

    expect(page).toBe(before);
    expect(gutter).not.toBe(before);
  });

  test('shows ids and names in at most two lines on a phone', async () => {
    await using reader = await openViewer(server.url, '?view=run&run=countdown-grpo', { width: 390, height: 844 });
    await reader.until(`document.querySelector('table.traces')`);
    const lines = (selector: string) =>
      reader.evaluate<number>(
        `Math.max(...[...document.querySelectorAll('${selector}')].map((it) => it.getBoundingClientRect().height / parseFloat(getComputedStyle(it).lineHeight)))`,
      );
    const inTable = await lines('table.traces td.name a');

    await reader.go('?view=trace&trace=tr_odd');
    await reader.until(`document.querySelector('.tr-inner')`);
    await reader.press('j', 'j', 'i');
    await reader.until(`document.querySelector('.tr-facts code')`);

    expect(inTable).toBeLessThan(2.5);
    expect(await lines('.tr-facts code, .tr-facts .tr-id')).toBeLessThan(1.5);
  });

  test('follows the theme of the system until one is selected, and keeps that', async () => {
    await using reader = await openViewer(server.url, '?view=runs', { theme: 'light' });
    const ground = () => reader.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
    const light = await ground();
    await reader.prefer('dark');
    const ofSystem = await ground();
    await reader.prefer('light');

    await reader.click('button[aria-label="Theme: system"]');
    await reader.click('button[aria-label="Theme: light"]');
    await reader.until(`document.querySelector('button[aria-label="Theme: dark"]')`);
    const dark = await ground();
    await reader.go('?view=environments');

    expect(dark).not.toBe(light);
    expect(ofSystem).toBe(dark);
    expect(await ground()).toBe(dark);
  });
});
