import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createTraceClient, type TraceClient } from 'ors-kit/trace';
import { serveTraces } from '../../../src/trace/api/index.ts';
import { createMemoryStore } from '../../../src/trace/store/index.ts';
import { freePort } from '../../support/free-ports.ts';
import { describeInBrowser } from '../in-browser.ts';
import { openViewer, type Reader } from './reader.ts';

const MESSAGES = 1_000;
/** 200 blocks a second. */
const EACH_MS = 5;

const scrolled = (reader: Reader) => reader.evaluate<number>(`document.querySelector('.tr-scroll').scrollTop`);
const rowsTold = (count: number) =>
  `document.querySelector('.tr-outline-head small')?.innerText === '${count.toLocaleString('en')} rows'`;

/** Opens a trace that is being written. */
async function openLive(traces: TraceClient, url: string) {
  const trace = traces.createTrace({ id: 'tr_live', run: 'live' });
  trace.logMessage({ role: 'user', content: 'begin' });
  await traces.flush();
  const reader = await openViewer(url, '?view=trace&trace=tr_live');
  await reader.until(`document.querySelector('.tr-inner') && document.querySelector('.live')`);
  return { trace, reader };
}

/** Returns the lines of the outline in order. */
async function outline(reader: Reader, count: number): Promise<readonly (string | undefined)[]> {
  const lines: (string | undefined)[] = Array.from({ length: count });
  for (let from = 0; from < count; from += 20) {
    await reader.evaluate(`document.querySelector('.tr-tree').scrollTop = ${from * 24}`);
    await reader.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const drawn = await reader.evaluate<[number, string][]>(
      `[...document.querySelectorAll('.tr-item')].map((it) => [new DOMMatrix(it.style.transform).f / 24, it.querySelector('.tr-line').textContent])`,
    );
    for (const [at, line] of drawn) lines[at] = line;
  }
  return lines;
}

describeInBrowser('a live trace')('a trace that is being written', () => {
  test('shows every block once and in order, also when the server restarts', async () => {
    await using store = createMemoryStore();
    const port = await freePort();
    let server = await serveTraces({ store, port });
    await using traces = createTraceClient({ url: server.url });
    const { trace, reader } = await openLive(traces, server.url);
    await using page = reader;

    for (let each = 1; each <= MESSAGES; each++) {
      trace.logMessage({ role: 'assistant', content: `message ${each}` });
      if (each === MESSAGES / 2) {
        await server[Symbol.asyncDispose]();
        await page.until(`document.querySelector('.banner')?.innerText.includes('Disconnected')`);
        server = await serveTraces({ store, port });
      }
      await sleep(EACH_MS);
    }
    await using _last = server;
    await traces.flush();
    await page.until(rowsTold(MESSAGES + 1));
    const lines = await outline(page, MESSAGES + 1);
    await trace.finish();
    await page.until(`document.querySelector('.tr-title .status').innerText === 'finished'`);

    expect(lines).toEqual(['begin', ...Array.from({ length: MESSAGES }, (_, index) => `message ${index + 1}`)]);
    expect(await page.evaluate(`document.querySelector('.banner, .live')`)).toBeNull();
  });

  test('keeps its position while the user has scrolled up, and counts the new blocks', async () => {
    await using store = createMemoryStore();
    await using server = await serveTraces({ store, port: 0 });
    await using traces = createTraceClient({ url: server.url });
    const { trace, reader } = await openLive(traces, server.url);
    await using page = reader;
    const log = async (count: number) => {
      for (let each = 0; each < count; each++) trace.logMessage({ role: 'assistant', content: `line ${each}` });
      await traces.flush();
    };
    const isAtEnd = `(() => { const view = document.querySelector('.tr-scroll'); return view.scrollTop + view.clientHeight >= view.scrollHeight - 25; })()`;

    await log(60);
    await page.until(rowsTold(61));
    const atFirst = await scrolled(page);
    await page.wheel({ x: 800, y: 500 }, 100_000);
    await page.until(`document.querySelector('.tr-scroll').scrollTop > 500 && ${isAtEnd}`);
    await page.wheel({ x: 800, y: 500 }, -700);
    await page.until(`!${isAtEnd}`);
    await page.still();
    const before = await scrolled(page);
    await log(37);
    await page.until(`document.querySelector('.tr-pill')?.innerText === '↓ 37 new'`);
    const after = await scrolled(page);
    await page.click('.tr-pill');
    await page.until(`!document.querySelector('.tr-pill') && ${isAtEnd}`);
    await log(5);
    await page.until(rowsTold(103));
    await page.until(isAtEnd);

    expect(atFirst).toBe(0);
    expect(after).toBe(before);
    expect(await page.evaluate(`document.querySelector('.tr-pill')`)).toBeNull();
  });

  test('joins the pieces of a result, reports missing ones, and replaces them by the final output', async () => {
    await using store = createMemoryStore();
    await using server = await serveTraces({ store, port: 0 });
    await using traces = createTraceClient({ url: server.url });
    const { trace, reader } = await openLive(traces, server.url);
    await using page = reader;
    const message = trace.logMessage({ role: 'assistant', content: 'I run it.' });
    const payload = { call_id: 'c', name: 'run', arguments: {} };
    const call = trace.logAct({ parent_block_id: message.id, payload });
    const result = '.tr-row.tr-results';
    const observe = (piece: object) =>
      trace.logObserve({ parent_block_id: call.id, payload: { call_id: 'c', ...piece } as never });

    observe({ delta: 'one ', seq: 0 });
    await page.until(`document.querySelector('${result} .tr-inner')?.innerText.includes('one')`);
    observe({ delta: 'two ', seq: 1 });
    await page.until(`document.querySelector('${result} .tr-inner')?.innerText.includes('one two')`);
    observe({ delta: 'four', seq: 3 });
    await page.until(`document.querySelector('${result} .tr-inner')?.innerText.includes('four')`);
    const gap = await page.text(`${result} .tr-inner`);
    const rows = await page.texts(result);
    observe({ output: 'all of it' });
    await page.until(`document.querySelector('${result} .tr-inner')?.innerText.includes('all of it')`);
    const whole = await page.text(`${result} .tr-inner`);

    expect(gap).toMatch(/one two\s+piece 2 is missing\s+four/);
    expect(rows).toHaveLength(1);
    expect(whole).not.toContain('one two');
    expect(whole).toContain('replaces 3 pieces');
  });
});
