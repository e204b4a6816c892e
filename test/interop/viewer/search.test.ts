import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fillSample } from '../../viewer/sample.ts';
import { describeInBrowser } from '../in-browser.ts';
import { openViewer } from './reader.ts';
import { fetchJson, logCalls, type Served, serveFilled } from './served.ts';

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

    await reader.type(`"${NEEDLE}"`);
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
    const { hits } = await fetchJson<{ hits: unknown[] }>(
      served.url,
      '/blocks?run=countdown-grpo&has_error=true&sub_type=TOOL_RESULT&limit=200',
    );
    await using reader = await openViewer(served.url, '?view=search&run=countdown-grpo&has_error=true');
    await reader.until(`document.querySelector('.search-progress')?.innerText.includes('that is all')`);

    expect(hits.length).toBeGreaterThan(0);
    expect(await reader.texts('.search-hit')).toHaveLength(hits.length);
    expect(await reader.texts('.search-hit .failed')).toHaveLength(hits.length);
  });

  test('shows run, task, model, reward and tool, and links an old address to its query', async () => {
    await using reader = await openViewer(
      served.url,
      '?view=search&run=countdown-grpo&name=submit&sub_type=TOOL_RESULT',
    );
    await reader.until(`document.querySelector('.search-progress')?.innerText.includes('Found')`);

    expect(await reader.evaluate('document.querySelector("input").value')).toBe(
      'tool:=submit run:=countdown-grpo kind:result',
    );
    expect(await reader.evaluate('location.search')).toMatch(/^\?view=search&q=tool/);
    expect(await reader.text('.search-trace')).toMatch(
      /countdown-grpo.*countdown train\[\d\].*small-model-7b.*finished/s,
    );
    expect(await reader.text('.search-hit')).toMatch(/^result submit\s+(right|wrong)/);
  });

  test('shows text without escape codes', async () => {
    await using reader = await openViewer(served.url, '?view=search&q=tool:ansi%20kind:result');
    await reader.until(`document.querySelector('.search-hit')`);

    expect(await reader.text('.search-excerpt')).toBe('red and bold green');
  });

  test('finds traces with a query about traces', async () => {
    await using reader = await openViewer(served.url, '?view=search&q=model:odd%20-tag:x');
    await reader.until(`document.querySelector('table.traces')`);

    expect(await reader.texts('table.traces td.name')).toEqual(['everything odd']);
    expect(await reader.text('.search-progress')).toContain('Found 1 trace; that is all.');
  });

  test('shows task, model and, of several runs, the run of each trace on a phone', async () => {
    const size = { width: 390, height: 844 };
    await using reader = await openViewer(served.url, '?view=search&q=run:countdown-grpo', size);
    await reader.until(`document.querySelector('table.traces')`);
    const ofOne = await reader.text('table.traces td.name small');

    await reader.go('?view=search&q=status:finished');
    await reader.until(`document.querySelector('.search-progress')?.innerText.includes('that is all')`);

    expect(ofOne).toMatch(/^countdown train\[\d\] · small-model-7b$/);
    expect(await reader.texts('table.traces td.name small')).toEqual(
      expect.arrayContaining([
        'hay',
        expect.stringMatching(/^countdown train\[\d\] · small-model-7b · countdown-grpo$/),
      ]),
    );
    expect(await reader.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  test('completes fields and values by keyboard', async () => {
    await using reader = await openViewer(served.url, '?view=search');
    await reader.until(`document.activeElement?.matches('[role=combobox]')`);

    await reader.type('ru');
    await reader.until(`document.querySelector('[role=option]')`);
    await reader.press('ArrowDown', 'Enter');
    await reader.until(
      `[...document.querySelectorAll('[role=option]')].some(({ innerText }) => innerText.includes('hay'))`,
    );
    await reader.type('ha');
    await reader.until(`document.querySelectorAll('[role=option]').length === 1`);
    await reader.press('ArrowDown', 'Tab');
    await reader.type('needle');
    await reader.until(`document.querySelector('.search-progress')?.innerText.includes('that is all')`);

    expect(await reader.evaluate('document.querySelector("input").value')).toBe('run:hay needle');
    expect(await reader.texts('.search-hit')).toHaveLength(3);
  });

  test('shows the position of a mistake and what to write', async () => {
    await using reader = await openViewer(served.url, '?view=search');
    await reader.until(`document.activeElement?.matches('[role=combobox]')`);

    await reader.type('needle reward:high');
    await reader.until(`document.querySelector('.search-problem')?.innerText.includes('Character 15')`);

    expect(await reader.text('.search-problem')).toContain('expected a number; for example reward:>0.5');
    expect(await reader.texts('.search-hit')).toEqual([]);
  });

  test('groups errors by message', async () => {
    const { hits } = await fetchJson<{ hits: unknown[] }>(served.url, '/blocks?has_error=true&name=evaluate&limit=200');
    await using reader = await openViewer(served.url, '?view=search&q=tool:evaluate');
    await reader.until(`document.querySelector('.search-hit')`);

    await reader.click('button', 'Errors by message');
    await reader.until(`document.querySelector('.search-progress')?.innerText.includes('that is all')`);

    expect(await reader.text('.search-message')).toBe('division by zero');
    expect(await reader.text('.search-count')).toBe(String(hits.length));
    await reader.click('.search-errors summary');
    expect(await reader.text('.search-errors .search-hit')).toContain('countdown-grpo');
  });

  test('steps through the hits within a trace with n and N, and marks and shows each', async () => {
    await using reader = await openViewer(served.url, '?view=trace&trace=tr_hay');
    await reader.until(`document.querySelector('.tr-inner')`);
    const inSight = `[...document.querySelectorAll('.tr-row.tr-chosen mark')].some((mark) => { const box = mark.getBoundingClientRect(), view = document.querySelector('.tr-scroll').getBoundingClientRect(); return box.height > 0 && box.top >= view.top && box.bottom <= view.bottom; })`;
    const count = () => reader.text('.tr-count');
    const chosen = () =>
      reader.evaluate<string>(
        `document.querySelector('.tr-row.tr-chosen .tr-body').innerText.match(/needle (\\d+)/)[1]`,
      );

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
    expect(await reader.evaluate('location.search')).toContain('q=a+unique+needle');
  });
});
