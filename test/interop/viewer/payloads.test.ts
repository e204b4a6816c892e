import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { JSONValue } from '../../../generated/trace.ts';
import { describeInBrowser } from '../in-browser.ts';
import { openViewer, type Reader } from './reader.ts';
import { logCalls, type Served, serveFilled } from './served.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
/** One grey pixel. */
const JPEG =
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z';
const LARGE = `${'a line of a large résult\n'.repeat(80_000)}and this is its end`;

/** Higher than any browser can show in one element. */
const LINES = 2_500_000;

const ors = (blocks: JSONValue, more: Record<string, JSONValue> = {}): JSONValue => ({
  blocks,
  metadata: null,
  finished: false,
  ...more,
});

const HOSTILE: Readonly<Record<string, JSONValue>> = {
  script: '<script>window.hacked = 1</script><img src=x onerror="window.hacked = 2">',
  svg: ors([
    { type: 'text', text: '<svg onload="window.hacked = 3"><a href="javascript:window.hacked = 4">x</a></svg>' },
  ]),
  picture: ors([
    {
      type: 'image',
      mimeType: 'image/svg+xml',
      data: Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" onload="window.hacked = 5"><script>window.hacked = 6</script></svg>',
      ).toString('base64'),
    },
  ]),
  marks: `\u202eright to left\u202c, NUL \u0000 here, half \ud800 a character, \u001b]8;;javascript:window.hacked=7\u0007link\u001b]8;;\u0007 \u001b[2J\u001b[31mred\u001b[0m`,
  line: 'x'.repeat(1_000_000),
  object: Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`key ${index}`, index])),
  proto: JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}'),
};

async function openTrace(url: string, id: string): Promise<Reader> {
  const reader = await openViewer(url, `?view=trace&trace=${id}`);
  await reader.until(`document.querySelector('.tr-inner') && !document.querySelector('.tr-progress')`);
  return reader;
}

/** Returns a selector for a row. */
const rowAt = (position: number) => `.tr-row[aria-posinset="${position}"]`;

describeInBrowser('payloads')('payloads', () => {
  let served: Served;

  beforeAll(async () => {
    served = await serveFilled(async (traces) => {
      const pictures = traces.createTrace({ id: 'tr_pictures' });
      logCalls(pictures, [
        { tool: 'png', output: ors([{ type: 'image', data: PNG, mimeType: 'image/png' }]) },
        { tool: 'jpeg', output: ors([{ type: 'image', data: JPEG, mimeType: 'image/jpeg' }]) },
        { tool: 'broken', output: ors([{ type: 'image', data: 'not base64!', mimeType: 'image/png' }]) },
        { tool: 'cut', output: ors([{ type: 'image', data: PNG.slice(0, 24), mimeType: 'image/png' }]) },
      ]);
      logCalls(traces.createTrace({ id: 'tr_large' }), [{ tool: 'read', output: LARGE }]);
      logCalls(traces.createTrace({ id: 'tr_high' }), [{ tool: 'read', output: `${'\n'.repeat(LINES - 1)}the end` }]);
      const unseen = ors([{ type: 'text', text: 'what the model saw' }], { metadata: { judge: 'for people alone' } });
      logCalls(traces.createTrace({ id: 'tr_unseen' }), [{ tool: 'ask', output: unseen }]);
      for (const [tool, output] of Object.entries(HOSTILE)) {
        const trace = traces.createTrace({ id: `tr_hostile_${tool}`, name: '<b>name</b>' });
        trace.logMessage({
          role: 'user',
          content:
            '[a](javascript:window.hacked=8) <script>window.hacked = 9</script> ![p](https://example.org/spy.png) [b](https://example.org/)',
        });
        logCalls(trace, [{ tool: '<i>tool</i>', output }]);
      }
    });
  });
  afterAll(() => served?.[Symbol.asyncDispose]());

  test('shows PNG and JPEG in their rows and enlarged in a dialog, which Escape closes', async () => {
    await using reader = await openTrace(served.url, 'tr_pictures');
    const picture = '.payload-picture:not(.payload-no-picture) img';
    await reader.until(
      `(() => { const all = [...document.querySelectorAll('${picture}')]; return all.length === 2 && all.every((it) => it.naturalWidth === 1); })()`,
    );

    for (const [type, data] of [
      ['image/png', PNG],
      ['image/jpeg', JPEG],
    ]) {
      const source = `data:${type};base64,${data}`;
      await reader.click(`.payload-picture button:has(img[src=${JSON.stringify(source)}])`);
      await reader.until(`document.querySelector('dialog[open] .payload-lightbox img')?.naturalWidth === 1`);
      const large = await reader.evaluate(`document.querySelector('.payload-lightbox img').src`);
      await reader.press('Escape');
      await reader.until(`!document.querySelector('dialog')`);

      expect(large).toBe(source);
      expect(await reader.evaluate(`document.activeElement.firstElementChild.src`)).toBe(source);
    }
  });

  test('shows why an image is invalid in its place', async () => {
    await using reader = await openTrace(served.url, 'tr_pictures');

    await reader.evaluate(`document.querySelector('.tr-scroll').scrollTop = 1e6`);
    await reader.until(`document.querySelectorAll('.payload-no-picture').length === 2`);

    expect((await reader.texts('.payload-no-picture [role=alert]')).map((message) => message.split('\n')[1])).toEqual([
      expect.stringContaining('not valid base64: character 10'),
      expect.stringContaining('cannot decode the image'),
    ]);
  });

  test('shows the exact size of 2 MB of text, opens it without blocking, and scrolls to its end', async () => {
    await using reader = await openTrace(served.url, 'tr_large');
    await reader.until(`document.querySelector('.payload-size')?.innerText.includes('bytes')`);
    const size = await reader.text('.payload-size');
    await reader.evaluate(
      `window.long = []; new PerformanceObserver((list) => { for (const each of list.getEntries()) long.push(each.duration); }).observe({ type: 'longtask' }); 0`,
    );

    await reader.click('.payload-size button', 'Show all');
    await reader.until(`document.querySelector('.payload-box')?.scrollHeight > 100_000`);
    const blocked = await reader.evaluate<number>(`Math.max(0, ...long)`);
    await reader.evaluate(`document.querySelector('.payload-box').scrollTop = 1e9`);
    await reader.until(
      `(() => { const box = document.querySelector('.payload-box'); return box.scrollTop > 0 && box.lastElementChild.innerText.endsWith('and this is its end'); })()`,
    );

    expect(size).toContain(`${Buffer.byteLength(LARGE).toLocaleString('en')} bytes`);
    expect(await reader.text('.payload-size')).toContain(`${Buffer.byteLength(LARGE).toLocaleString('en')} bytes`);
    process.stdout.write(`2 MB opened; the longest task was ${Math.round(blocked)} ms\n`);
    expect(await reader.evaluate<number>(`document.querySelector('.payload-box').textContent.length`)).toBeLessThan(
      200_000,
    );
    expect(blocked).toBeLessThan(2_000);
    expect(await reader.evaluate<number>(`document.querySelectorAll('.payload-box *').length`)).toBeLessThan(500);
  });

  test('shows a text of millions of lines in sections, to its end', async () => {
    await using reader = await openTrace(served.url, 'tr_high');
    await reader.until(`document.querySelector('.payload-size')?.innerText.includes('bytes')`);
    await reader.click('.payload-size button', 'Show all');
    await reader.until(`document.querySelector('.payload-sections')`);
    const first = await reader.text('.payload-sections');
    const next = `document.querySelector('.payload-sections button:last-of-type')`;

    for (let sections = 0; sections < 20 && !(await reader.evaluate(`${next}.disabled`)); sections++) {
      await reader.click('.payload-sections button', 'Next lines');
    }
    await reader.evaluate(`document.querySelector('.payload-box').scrollTop = 1e9`);
    await reader.until(`document.querySelector('.payload-box').lastElementChild.innerText.endsWith('the end')`);

    expect(first).toMatch(/lines 1 to [\d,]+ of 2,500,000/);
    expect(await reader.text('.payload-sections')).toMatch(/lines [\d,]+ to 2,500,000 of 2,500,000/);
    const box = await reader.evaluate<[number, number, number]>(
      `(({ scrollTop, clientHeight, scrollHeight }) => [scrollTop, clientHeight, scrollHeight])(document.querySelector('.payload-box'))`,
    );
    expect(box[0] + box[1]).toBeGreaterThan(box[2] - 5);
    expect(reader.console).toEqual([]);
  });

  test('marks metadata of a tool output as not shown to the model', async () => {
    await using reader = await openTrace(served.url, 'tr_unseen');
    await reader.until(`document.querySelector('.payload-unseen')`);

    const summary = await reader.text('.payload-unseen summary');
    const closed = await reader.evaluate(`document.querySelector('.payload-unseen').open`);
    await reader.click('.payload-unseen summary');
    await reader.until(`document.querySelector('.payload-unseen').innerText.includes('for people alone')`);

    expect(summary).toMatch(/metadata\s+not shown to the model/);
    expect(closed).toBe(false);
  });

  test.each(Object.keys(HOSTILE))('shows the hostile payload %s without effects', async (name) => {
    await using reader = await openTrace(served.url, `tr_hostile_${name}`);
    await reader.until(`document.querySelector('${rowAt(4)} .tr-inner')`);
    for (const mode of ['plain', 'JSON', 'rendered']) {
      // The buttons are visible only while the pointer is over the payload.
      await reader.tab.hover(`${rowAt(4)} .payload`);
      await reader.click(`${rowAt(4)} .payload-modes button`, mode);
      await reader.until(
        `document.querySelector('${rowAt(4)} .payload-modes [aria-pressed=true]').innerText === '${mode}'`,
      );
    }

    const links = await reader.evaluate<string[]>(`[...document.querySelectorAll('main a')].map((it) => it.protocol)`);
    const inserted = await reader.evaluate(
      `document.querySelectorAll('main script, main iframe, main .tr-body svg, .tr-label i, h1 b').length`,
    );

    expect(await reader.evaluate('window.hacked ?? ({}).polluted ?? null')).toBeNull();
    expect(links.every((each) => ['http:', 'https:'].includes(each))).toBe(true);
    expect(inserted).toBe(0);
    expect(await reader.text('h1')).toBe('<b>name</b>');
    expect(reader.console).toEqual([]);
    expect([...reader.hosts]).toEqual([served.url]);
  });

  test('shows invisible characters by number, and escape sequences of terminals as colours', async () => {
    await using reader = await openTrace(served.url, 'tr_hostile_marks');
    await reader.until(`document.querySelector('${rowAt(4)} .payload-control')`);

    expect(await reader.texts(`${rowAt(4)} .payload-control`)).toEqual(
      expect.arrayContaining(['U+202E', 'U+202C', 'U+0000', 'U+D800']),
    );
    expect(await reader.text(`${rowAt(4)} [style*="--bad"]`)).toBe('red');
    expect(await reader.text(rowAt(4))).not.toContain('\u001b');
  });
});
