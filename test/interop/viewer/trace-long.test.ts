import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '../../support/until.ts';
import { fillSample } from '../../viewer/sample.ts';
import { describeInBrowser } from '../in-browser.ts';
import { openViewer, type Reader } from './reader.ts';
import { fetchJson, type Served, serveFilled } from './served.ts';

const BLOCKS = 6_000;
const ALL_ROWS = `${BLOCKS.toLocaleString('en')} rows`;
/** Text of the last block. */
const LAST = `total ${BLOCKS / 4 - 1}`;
/** Distance that is scrolled at the pace of a reader; the rest is scrolled faster. */
const READ_PX = 14_000;
/** 200 ms at 60 frames a second. Counts frames, because a busy machine renders fewer of them. */
const BLANK_FRAMES = 12;
const say = (figure: string) => process.stdout.write(`${BLOCKS} blocks: ${figure}\n`);

async function openLong(url: string, hash = ''): Promise<Reader> {
  const reader = await openViewer(url, `?view=trace&trace=tr_long${hash}`);
  await reader.until(`document.querySelector('.tr-row .tr-inner')`);
  return reader;
}

/** Script that records when the first payload is visible, and how much of the outline is loaded by then. */
const NOTE_FIRST = `addEventListener('DOMContentLoaded', () => new MutationObserver((_, observer) => {
  if (!document.querySelector('.tr-row .tr-inner')) return;
  observer.disconnect();
  window.first = { at: performance.now(), rows: document.querySelector('.tr-outline-head small').innerText };
}).observe(document, { childList: true, subtree: true }))`;

const untilWhole = (reader: Reader) => reader.until(`!document.querySelector('.tr-progress')`);

/** Returns the selected row: its block, and whether it is focused, open and visible. */
const chosen = (reader: Reader) =>
  reader.evaluate<object>(
    `(() => { const row = document.querySelector('.tr-row.tr-chosen'); const view = document.querySelector('.tr-scroll').getBoundingClientRect(); const box = row?.getBoundingClientRect(); return { block: row?.dataset.block, hasFocus: document.activeElement === row, isOpen: Boolean(row?.querySelector('.tr-inner')), isSeen: Boolean(box) && box.top >= view.top - 1 && box.top < view.bottom }; })()`,
  );

/** Returns the first row that begins in the view, and its distance from the top. */
const topRow = (reader: Reader) =>
  reader.evaluate<[string, number]>(
    `(() => { const top = document.querySelector('.tr-scroll').getBoundingClientRect().top; return [...document.querySelectorAll('.tr-row')].map((row) => [row.dataset.row, Math.round(row.getBoundingClientRect().top - top)]).find(([, below]) => below >= 0); })()`,
  );

/** Returns the distance of a block's row below the top of the transcript; NaN if it is not rendered. */
const belowTop = (reader: Reader, block: string) =>
  reader.evaluate<number>(
    `Math.round((document.querySelector('.tr-row[data-block="${block}"]')?.getBoundingClientRect().top ?? NaN) - document.querySelector('.tr-scroll').getBoundingClientRect().top)`,
  );

/** Script that records what is rendered in each frame, until `watched` is read. */
const WATCH = `(() => {
  const view = document.querySelector('.tr-scroll');
  const watched = { rows: 0, blank: 0, blankFrames: 0, waited: 0, heights: [], isOver: false };
  let since, waits, frames = 0;
  const look = (now) => {
    const box = view.getBoundingClientRect();
    const rows = [...view.querySelectorAll('.tr-row')].map((row) => row.getBoundingClientRect());
    const isDrawn = [0.1, 0.5, 0.9].every((part) => rows.some(({ top, bottom }) => top <= box.top + part * box.height && bottom >= box.top + part * box.height));
    frames = isDrawn ? 0 : frames + 1;
    watched.blankFrames = Math.max(watched.blankFrames, frames);
    if (isDrawn) since = undefined;
    else watched.blank = Math.max(watched.blank, now - (since ??= now));
    if ([...view.querySelectorAll('.tr-inner')].some((it) => { const { top, bottom } = it.getBoundingClientRect(); return bottom > box.top && top < box.bottom; })) waits = undefined;
    else watched.waited = Math.max(watched.waited, now - (waits ??= now));
    watched.rows = Math.max(watched.rows, document.querySelectorAll('.tr-row, .tr-item').length);
    watched.heights.push(view.scrollHeight);
    if (!watched.isOver) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  window.watched = watched;
})()`;

interface Watched {
  readonly rows: number;
  readonly blank: number;
  /** Consecutive frames without content. */
  readonly blankFrames: number;
  /** Time during which no payload was visible, only previews. */
  readonly waited: number;
  readonly heights: readonly number[];
}

describeInBrowser('a long trace')('a trace of thousands of blocks', () => {
  let served: Served;
  let last: string;

  beforeAll(async () => {
    served = await serveFilled(() => {});
    await fillSample(served.url, { steps: 0, longBlocks: BLOCKS });
    const { blocks } = await fetchJson<{ blocks: { id: string }[] }>(
      served.url,
      `/traces/tr_long/blocks?fields=skeleton&after=${BLOCKS - 2}`,
    );
    last = blocks[0]?.id ?? '';
  });
  afterAll(() => served?.[Symbol.asyncDispose]());

  test('shows its first screen before all of it is loaded, with few rows in the page', async () => {
    await using reader = await openViewer(served.url, '?view=runs');
    await reader.tab.addInitScript(NOTE_FIRST);
    await reader.go('?view=trace&trace=tr_long');
    await reader.until('window.first');
    const { at: first, rows: early } = await reader.evaluate<{ at: number; rows: string }>('first');
    await untilWhole(reader);
    const whole = await reader.evaluate<number>('performance.now()');
    const heap = await reader.evaluate<number>('performance.memory.usedJSHeapSize');
    const rows = await reader.evaluate<number>(`document.querySelectorAll('.tr-row, .tr-item').length`);

    say(`first screen after ${Math.round(first)} ms, all of the outline after ${Math.round(whole)} ms`);
    say(`${rows} rows in the page, heap ${(heap / 1e6).toFixed(1)} MB`);
    expect(first).toBeLessThan(15_000);
    expect(early).toMatch(/^[\d,]+ rows$/);
    expect(early).not.toBe(ALL_ROWS);
    expect(rows).toBeLessThanOrEqual(400);
    expect(await reader.text('.tr-outline-head small')).toBe(ALL_ROWS);
    expect(reader.console).toEqual([]);
  });

  test('scrolls from end to end without blank frames, and keeps its height', async () => {
    await using reader = await openLong(served.url);
    await untilWhole(reader);
    const total = await reader.evaluate<number>(`document.querySelector('.tr-scroll').scrollHeight`);

    await reader.evaluate(WATCH);
    for (let at = 0; at < READ_PX; at += 700) await reader.wheel({ x: 800, y: 500 }, 700);
    for (let at = READ_PX; at < total; at += 12_000) await reader.wheel({ x: 800, y: 500 }, 12_000);
    await reader.until(
      `(() => { const view = document.querySelector('.tr-scroll'); return view.scrollTop + view.clientHeight >= view.scrollHeight - 30; })()`,
    );
    const { rows, blank, blankFrames, waited, heights } = await reader.evaluate<Watched>(
      `(watched.isOver = true, watched)`,
    );
    const spread = (Math.max(...heights) - Math.min(...heights)) / (heights[0] ?? 1);

    say(
      `scrolled ${total} px; blank for at most ${Math.round(blank)} ms and ${blankFrames} frames, height within ${(100 * spread).toFixed(2)} %`,
    );
    say(
      `at most ${rows} rows in the page, beginnings alone for at most ${Math.round(waited)} ms, ${heights.length} frames`,
    );
    expect(rows).toBeLessThanOrEqual(400);
    expect(blank).toBeLessThan(2_000);
    expect(blankFrames).toBeLessThanOrEqual(BLANK_FRAMES);
    expect(spread).toBeLessThan(0.04);
    expect(await reader.text('.tr-row:last-child')).toContain(LAST);
  });

  test('opens a link to one of its last blocks at that block, expanded and focused, and stays there', async () => {
    await using reader = await openViewer(served.url, `?view=trace&trace=tr_long#${last}`);
    await reader.until(`document.querySelector('.tr-row.tr-chosen .tr-inner')`);
    const after = await reader.evaluate<number>('performance.now()');
    await untilWhole(reader);
    await reader.until(`document.activeElement.matches('.tr-row.tr-chosen')`);

    say(`a link to block ${BLOCKS - 1} landed after ${Math.round(after)} ms`);
    expect(last).not.toBe('');
    expect(await chosen(reader)).toEqual({ block: last, hasFocus: true, isOpen: true, isSeen: true });
  });

  test('keeps the position of a linked block while the others are loaded, also after scrolling above it', async () => {
    const { blocks } = await fetchJson<{ blocks: { id: string }[] }>(
      served.url,
      `/traces/tr_long/blocks?fields=skeleton&limit=1&after=5000`,
    );
    const middle = blocks[0]?.id ?? '';
    await using reader = await openViewer(served.url, '?view=runs');
    let readOn = () => {};
    const mayRead = new Promise<void>((resolve) => {
      readOn = resolve;
    });
    await reader.tab.route(/before=\d{4,5}/, async (route) => {
      await mayRead;
      await route.continue();
    });
    await reader.go(`?view=trace&trace=tr_long#${middle}`);
    await reader.until(`document.querySelector('.tr-row.tr-chosen .tr-inner')`);
    await reader.still();
    const landed = await belowTop(reader, middle);
    const gaps = await reader.texts('.tr-item.tr-gap');
    await reader.wheel({ x: 800, y: 500 }, -120);
    await until(async () => (await belowTop(reader, middle)) !== landed, 'a page that has scrolled');
    await reader.still();
    const before = await belowTop(reader, middle);
    readOn();
    await untilWhole(reader);
    await reader.until(`document.querySelector('.tr-outline-head small').innerText === '${ALL_ROWS}'`);
    await reader.still();
    const after = await belowTop(reader, middle);

    expect(landed).toBe(8);
    expect(gaps.join()).toContain('not read yet');
    expect(before).toBe(128);
    expect(after).toBe(128);
    expect(await reader.texts('.tr-item.tr-gap')).toEqual([]);
  });

  test('returns to the position before a jump when going back', async () => {
    await using reader = await openLong(served.url);
    await untilWhole(reader);
    await reader.evaluate(`document.querySelector('.tr-scroll').scrollTop = 123456`);
    await reader.until(`history.state?.scroll && !document.querySelector('.tr-row [data-whole="false"]')`);
    await reader.still();
    const before = await topRow(reader);

    await reader.evaluate(`document.querySelector('.tr-tree').scrollTop = 1e9`);
    await reader.until(`[...document.querySelectorAll('.tr-item')].some((it) => it.innerText.includes('${LAST}'))`);
    await reader.click('.tr-item', LAST);
    await reader.until(`document.querySelector('.tr-row.tr-chosen .tr-inner')`);
    await reader.evaluate('history.back()');
    await reader.until(
      `location.hash === '' && document.querySelector('[data-row="${before[0]}"] .tr-inner') && !document.querySelector('.tr-row [data-whole="false"]')`,
    );
    await reader.still();
    const after = await topRow(reader);

    expect(after[0]).toBe(before[0]);
    expect(Math.abs(after[1] - before[1])).toBeLessThan(4);
  });
});
