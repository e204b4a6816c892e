import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { JSONValue } from '../../../generated/trace.ts';
import { fillSample } from '../../viewer/sample.ts';
import { describeInBrowser } from '../in-browser.ts';
import { openViewer, type Reader } from './reader.ts';
import { fetchJson, importInto, logCalls, type Served, serveFilled, timelessOf } from './served.ts';

const REWARDS = [0.5, -1, undefined, 0, 0.25] as const;
const MATH = String.raw`Let $a_{b_c}$ and \(x^*\) be **large**, at $5 and $6 each:

$$
\sum_i a_i
+ \frac{1}{2}
$$

Not TeX: $d_e_f$ and $\notacommand{1}$.

~~~diff
--- a
+++ b
@@ -1 +1 @@
-old
+new
~~~`;
const IMPORTED = ['jsonl', 'atif'];
const SAVED_ALONE = ['openai', 'sharegpt', 'otlp-json'];
/** Number of elements that are reached with Tab. */
const TAB_STOPS = 20;

async function openTrace(url: string, id: string): Promise<Reader> {
  const reader = await openViewer(url, `?view=trace&trace=${id}`);
  await reader.until(`document.querySelector('.tr-inner') && !document.querySelector('.tr-progress')`);
  return reader;
}

/** Returns the heights of the boxes of a path, which begin at each `M`. */
const heightsOf = (path: string) =>
  [...path.matchAll(/M[\d.-]+ ([\d.-]+)h[\d.-]+V([\d.-]+)/g)].map(([, from, to]) => Number(to) - Number(from));

/** Returns the height of each corner of a line above zero. */
const cornersOf = (line: string, zero: string) =>
  [...line.matchAll(/[ML][\d.-]+ ([\d.-]+)/g)].map(([, y]) => Number(zero.match(/M0 ([\d.]+)/)?.[1]) - Number(y));

/** Events of a script that logs values of other types. */
const ODD_EVENTS = `{"events": [
  {"eventType": "rollout", "eventId": "odd_logged", "timestamp": 1767225600000, "runName": "some"},
  {"eventType": "message", "eventId": "m0", "rolloutEventId": "odd_logged", "timestamp": 1767225600001, "index": 0,
   "type": "user_message", "content": "Go.", "reward": true},
  {"eventType": "message", "eventId": "m1", "rolloutEventId": "odd_logged", "timestamp": 1767225600002, "index": 1,
   "type": "assistant_message", "content": "Done.", "reward": NaN}
]}`;

interface Stitched {
  readonly messages: readonly { readonly child_order?: readonly string[] }[];
}
const stitched = (url: string, id: string) => fetchJson<Stitched>(url, `/traces/${id}/blocks.stitched?limit=200`);

describeInBrowser('the page of a trace')('the page of a trace', () => {
  let served: Served;

  beforeAll(async () => {
    served = await serveFilled((traces) => {
      const rewarded = traces.createTrace({ id: 'tr_rewards', run: 'some', name: 'rewarded' });
      logCalls(
        rewarded,
        REWARDS.map((reward) => ({ tool: 'try', ...(reward !== undefined && { reward }) })),
      );
      logCalls(traces.createTrace({ id: 'tr_single' }), [{ tool: 'try', reward: 0.75 }]);
      traces.createTrace({ id: 'tr_math' }).logMessage({ role: 'user', content: MATH });
      traces
        .createTrace({
          id: 'tr_told',
          run: 'told',
          task_spec: { question: 'What is $x^2$ for `x = 3`?', level: 3 },
          metadata: { seed: 17, usage: { input_tokens: 1_200, output_tokens: 34, cost: 0.0125 } },
          run_info: { commit: 'abc' },
          rollout_info: { worker: 'w7' },
        })
        .logMessage({ role: 'user', content: 'Go.' });
      const mixed = traces.createTrace({ id: 'tr_mixed', run: 'some' });
      const message = mixed.logMessage({ role: 'assistant', content: 'Let me see.' });
      const under = { parent_block_id: message.id };
      const call = (call_id: string) => mixed.logAct({ ...under, payload: { call_id, name: call_id, arguments: {} } });
      mixed.logThink({ ...under, payload: { text: 'first' } });
      const one = call('one');
      mixed.logThink({ ...under, payload: { text: 'second' } });
      const two = call('two');
      mixed.logThink({ ...under, payload: { text: 'third' } });
      for (const [block, call_id] of [
        [two, 'two'],
        [one, 'one'],
      ] as const)
        mixed.logObserve({ parent_block_id: block.id, payload: { call_id, output: `of ${call_id}` } });
    });
    await fillSample(served.url, { steps: 1, longBlocks: 0 });
    const headers = { 'Content-Type': 'application/json' };
    await fetch(`${served.url}/v1/rollouts`, { method: 'POST', headers, body: ODD_EVENTS });
  });
  afterAll(() => served?.[Symbol.asyncDispose]());

  test('shows the rewards of the results as the bars of the strip, and their sum as the line', async () => {
    await using reader = await openTrace(served.url, 'tr_rewards');
    await reader.until(`document.querySelector('.tr-bars svg')`);
    const path = (name: string) =>
      reader.evaluate<string>(`document.querySelector('.tr-bar-${name}').getAttribute('d')`);
    const box = await reader.evaluate<{ x: number; y: number }>(
      `document.querySelector('.tr-bars').getBoundingClientRect().toJSON()`,
    );
    const each = await reader.evaluate<number>(
      `document.querySelector('.tr-bars svg').clientWidth / ${REWARDS.length}`,
    );

    const reported: string[] = [];
    for (const index of REWARDS.keys()) {
      await reader.point({ x: box.x + (index + 0.5) * each, y: box.y + 20 });
      await reader.until(`document.querySelector('.tr-strip-text').innerText.includes('step ${index + 1} of 5')`);
      reported.push((await reader.text('.tr-strip-text small')).replaceAll('−', '-'));
    }
    const [half, quarter] = heightsOf(await path('plus'));
    const [minus] = heightsOf(await path('minus'));
    const corners = cornersOf(await path('sum'), await path('zero'));

    expect(reported.map((text) => text.match(/reward (\S+), sum (\S+)/)?.slice(1))).toEqual([
      ['0.5', '0.5'],
      ['-1', '-0.5'],
      ['none', '-0.5'],
      ['0', '-0.5'],
      ['0.25', '-0.25'],
    ]);
    expect((half ?? 0) / (quarter ?? 0)).toBeCloseTo(2, 1);
    expect((minus ?? 0) / (half ?? 0)).toBeCloseTo(2, 1);
    expect([heightsOf(await path('nil')).length, heightsOf(await path('none')).length]).toEqual([1, 1]);
    // Proportional to the sums of the rewards.
    expect(corners.map((corner) => corner / (corners.at(-1) ?? 0))).toEqual(
      [0.5, -0.5, -0.5, -0.5, -0.25].map((sum) => expect.closeTo(sum / -0.25, 1)),
    );
    expect(await reader.text('.tr-total')).toBe('−0.25');
  });

  test.each([
    ['tr_rewards', '−0.25', '4 last 0.25 max 0.5'],
    ['tr_single', '0.75', undefined],
  ])(
    'shows the reward of %s once, in the header, and in the inspector only other figures',
    async (id, sum, figures) => {
      await using reader = await openTrace(served.url, id);
      await reader.until(`document.querySelector('.tr-bars svg') && document.querySelector('.tr-facts')`);

      const facts = await reader.evaluate<Record<string, string>>(
        `Object.fromEntries([...document.querySelectorAll('.tr-facts > div')].map((it) => [it.querySelector('dt').innerText, it.querySelector('dd').innerText]))`,
      );

      expect(await reader.text('.tr-total')).toBe(sum);
      expect(facts.Rewards).toBe(figures);
      expect(await reader.text('.tr-strip-text')).toMatch(/^\d+ steps?, \d+ with a reward$/);
    },
  );

  test('selects the result of a bar on click', async () => {
    await using reader = await openTrace(served.url, 'tr_rewards');
    await reader.until(`document.querySelector('.tr-bars svg')`);
    const box = await reader.evaluate<{ x: number; y: number; width: number }>(
      `document.querySelector('.tr-bars svg').getBoundingClientRect().toJSON()`,
    );

    await reader.tab.mouse.click(box.x + box.width * 0.3, box.y + 20);
    await reader.until(`document.querySelector('.tr-row.tr-chosen')`);

    expect(await reader.text('.tr-row.tr-chosen .reward')).toBe('−1');
  });

  test('shows thoughts and calls in order, and results below their calls', async () => {
    await using reader = await openTrace(served.url, 'tr_mixed');
    const order = (await stitched(served.url, 'tr_mixed')).messages[0]?.child_order ?? [];

    const shown = await reader.evaluate<[string, string][]>(
      `[...document.querySelectorAll('.tr-row')].map((row) => [row.querySelector('.tr-label').innerText, row.dataset.block])`,
    );

    expect(shown.map(([label]) => label.toLowerCase())).toEqual([
      'assistant',
      'thought',
      'one',
      'result',
      'thought',
      'two',
      'result',
      'thought',
    ]);
    expect(
      shown.filter(([label]) => !['assistant', 'result'].includes(label.toLowerCase())).map(([, id]) => id),
    ).toEqual(order);
  });

  test('steps through blocks, messages and traces by keys, and always shows the focus', async () => {
    await using reader = await openTrace(served.url, 'tr_rewards');
    const at = () =>
      reader.evaluate<string>(
        `(() => { const it = document.activeElement; const box = it.getBoundingClientRect(); const seen = box.height > 0 && box.bottom > 0 && box.top < innerHeight && getComputedStyle(it).outlineStyle !== 'none'; return it.getAttribute('aria-posinset') + (seen ? '' : ' unseen'); })()`,
      );
    const press = async (key: string) => {
      await reader.press(key);
      await reader.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    };

    const visited: string[] = [];
    for (const key of ['j', 'j', 'j', 'k', 'K', 'J', 'J', 'j', 'K', 'k']) {
      await press(key);
      visited.push(await at());
    }
    const unseen: string[] = [];
    for (let stop = 0; stop < TAB_STOPS; stop++) {
      await press('Tab');
      unseen.push(
        ...(await reader.evaluate<string[]>(
          `(() => { const it = document.activeElement; const { outlineStyle, outlineWidth } = getComputedStyle(it); return outlineStyle === 'none' || outlineWidth === '0px' ? [it.outerHTML.slice(0, 200)] : []; })()`,
        )),
      );
    }
    await press('c');
    const closed = await reader.evaluate(`document.querySelectorAll('.tr-row').length`);
    await press('e');
    const open = await reader.evaluate(`document.querySelectorAll('.tr-row').length`);
    await reader.until(`document.querySelector('.tr-neighbours a[title*="]"]')`);
    await press(']');
    await reader.until(`location.search.includes('tr_mixed')`);
    await reader.until(`document.querySelector('.tr-neighbours a[title*="["]')`);
    await press('[');
    await reader.until(`location.search.includes('tr_rewards')`);
    await reader.until(`document.querySelector('.tr-row') && document.querySelector('input[type=search]')`);
    await press('/');
    const field = await reader.evaluate(`document.activeElement.getAttribute('aria-label')`);
    await press('Escape');
    await press('?');
    await reader.until(`document.querySelector('dialog[open] .shortcuts')`);
    const help = await reader.text('dialog .shortcuts');
    await press('Escape');
    await press('g');
    await press('r');
    await reader.until(`document.querySelector('table.runs')`);

    expect(visited).toEqual(['1', '2', '3', '2', '1', '4', '7', '8', '7', '6']);
    expect(unseen).toEqual([]);
    expect([closed, open]).toEqual([5, 15]);
    expect(field).toBe('Search in the trace');
    for (const what of [
      'next block',
      'next message',
      'previous trace',
      'open all',
      'close all',
      'search in the trace',
      'go to the runs',
    ])
      expect(help).toContain(what);
  });

  test('renders formulas as MathML, and leaves prices and text that is not TeX as they are', async () => {
    await using reader = await openTrace(served.url, 'tr_rewards');
    const isLoaded = `performance.getEntriesByType('resource').some(({ name }) => name.includes('render-math'))`;
    const early = await reader.evaluate(isLoaded);
    await reader.go('?view=trace&trace=tr_math');
    await reader.until(`document.querySelectorAll('.tr-inner math').length === 3`);

    const formulas = await reader.evaluate<string[]>(
      `[...document.querySelectorAll('.tr-inner math')].map((it) => [it.getAttribute('display') ?? 'inline', it.textContent, it.getBoundingClientRect().width > 5].join(' '))`,
    );
    const shown = await reader.text('.tr-inner');
    const late = await reader.evaluate(isLoaded);
    await reader.go('?view=trace&trace=tr_math&q=d_e');
    await reader.until(`document.querySelector('.tr-inner mark')`);

    expect([early, late]).toEqual([false, true]);
    expect(formulas).toEqual(['inline abc true', 'inline x∗ true', 'block ∑iai+12 true']);
    expect(shown).toContain('at $5 and $6 each');
    expect(shown).toContain('$d_e_f$ and $\\notacommand{1}$');
    expect(await reader.text('.tr-inner mark')).toBe('d_e');
    expect(reader.console).toEqual([]);
    expect([...reader.hosts]).toEqual([served.url]);
  });

  test('colours the lines of a diff', async () => {
    await using reader = await openTrace(served.url, 'tr_math');
    await reader.until(`document.querySelector('.code-added')`);

    expect(await reader.texts('.code-added')).toEqual(['+new']);
    expect(await reader.texts('.code-removed')).toEqual(['-old']);
  });

  test('shows task, metadata, tokens, cost and infos of the trace, and no field that is empty', async () => {
    await using reader = await openTrace(served.url, 'tr_told');
    await reader.until(`document.querySelector('.tr-inspector math')`);
    const ofTrace = await reader.text('.tr-inspector');
    const summary = await reader.text('.tr-summary');

    await reader.press('j');
    await reader.until(`document.querySelector('.tr-inspector h2').innerText.toLowerCase() === 'user'`);
    await reader.until(`document.querySelector('.tr-inspector summary')`);
    const ofBlock = await reader.texts('.tr-inspector summary');
    await reader.click('.tr-tabs button', 'Trace');
    const again = await reader.text('.tr-inspector h2');

    for (const part of ['seed17', 'abc', 'w7', '1,234', '1,200 in, 34 out', '$0.013', 'level3'])
      expect(ofTrace).toContain(part);
    expect(summary).toMatch(/Cost\s+\$0\.013/);
    expect(ofBlock).toEqual(['payload']);
    expect(again).toBe('Trace');
    expect(reader.console).toEqual([]);
  });

  test('shows the time of each call, and the time line, which selects a call', async () => {
    await using reader = await openTrace(served.url, 'tr_mixed');
    const took = await reader.texts('.tr-took');
    await reader.press('t');
    await reader.until(`document.querySelector('.tr-time-tool')?.getAttribute('d')`);
    const lanes = await reader.evaluate<number[]>(
      `['model', 'tool', 'failed'].map((name) => (document.querySelector('.tr-time-' + name).getAttribute('d').match(/M/g) ?? []).length)`,
    );
    await reader.evaluate(`document.querySelector('.tr-bars').focus()`);
    await reader.press('ArrowRight', 'ArrowRight');
    await reader.until(`document.querySelector('.tr-row.tr-chosen .tr-label')?.innerText === 'one'`);
    const spoken = await reader.evaluate(`document.activeElement.getAttribute('aria-valuetext')`);
    await reader.press('t');
    await reader.until(`document.querySelector('.tr-bar-zero')`);

    expect(took).toHaveLength(2);
    expect(took.every((text) => /^[\d.]+ (ms|s)$/.test(text))).toBe(true);
    expect(lanes[0]).toBe(1);
    expect(lanes[1]).toBeGreaterThan(0);
    expect(lanes[2]).toBe(0);
    expect(spoken).toMatch(/^one, /);
    expect(reader.console).toEqual([]);
  });

  test('leads to the first and the last block with Home and End, and steps on with a filter', async () => {
    await using reader = await openTrace(served.url, 'tr_rewards');
    const chosen = (position: number) =>
      reader.until(`document.querySelector('.tr-row.tr-chosen')?.getAttribute('aria-posinset') === '${position}'`);
    await reader.press('End');
    await chosen(15);
    const atEnd = await reader.evaluate(
      `(({ scrollTop, clientHeight, scrollHeight }) => scrollTop + clientHeight >= scrollHeight - 1)(document.querySelector('.tr-scroll'))`,
    );
    await reader.press('k');
    await chosen(14);
    await reader.press('Home');
    await chosen(1);
    await reader.press('J', 'j');
    await chosen(5);
    await reader.click('.tr-filters button', 'results');
    await reader.until(`document.querySelectorAll('.tr-row').length === 5`);
    await reader.press('j');
    await chosen(2);
    await reader.press('J');
    await chosen(3);
    await reader.press('/');
    await reader.type('done');
    await reader.press('Escape', 'k');
    await chosen(2);

    expect(atEnd).toBe(true);
  });

  test('tests every export that is offered', async () => {
    await using reader = await openTrace(served.url, 'tr_sample_0_1_0');

    const offered = await reader.evaluate<string[]>(
      `[...document.querySelectorAll('.tr-menu button')].map((it) => it.dataset.format)`,
    );

    expect(offered.toSorted()).toEqual([...IMPORTED, ...SAVED_ALONE, 'html'].toSorted());
  });

  test.each(IMPORTED)('exports %s that imports as the same trace', async (format) => {
    await using other = await serveFilled(() => {});
    await using reader = await openTrace(served.url, 'tr_sample_0_1_0');

    const file = await reader.download(async () => {
      await reader.click('.tr-menu summary');
      await reader.click(`.tr-menu button[data-format="${format}"]`);
    });
    await importInto(other.url, file);

    expect(await timelessOf(other.url, 'tr_sample_0_1_0')).toEqual(await timelessOf(served.url, 'tr_sample_0_1_0'));
  });

  test.each(SAVED_ALONE)('downloads an export as %s that is JSON', async (format) => {
    await using reader = await openTrace(served.url, 'tr_sample_0_1_0');

    const file = await reader.download(async () => {
      await reader.click('.tr-menu summary');
      await reader.click(`.tr-menu button[data-format="${format}"]`);
    });
    const lines = file
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as JSONValue);

    expect(lines).toHaveLength(1);
    expect(file).toContain('Make 101 of 2, 25 and 100.');
  });

  test('lists the warnings about logged values, and none if there are none', async () => {
    await using reader = await openTrace(served.url, 'tr_odd');
    const others = await reader.texts('.banner');

    await reader.go('?view=trace&trace=tr_odd_logged');
    await reader.until(`document.querySelector('.banner summary')`);
    const summary = await reader.text('.banner summary');
    await reader.click('.banner summary');
    const listed = await reader.texts('.banner li');

    expect(others).toEqual([]);
    expect(summary).toBe('2 warnings about logged values');
    expect(listed).toEqual([
      expect.stringMatching(/^m0\/reward .*true/),
      'm1/reward NaN is not JSON; kept as {"$number": "NaN"}',
    ]);
    expect(reader.console).toEqual([]);
  });

  test('stores a note with the trace', async () => {
    await using reader = await openTrace(served.url, 'tr_rewards');

    await reader.click('.tr-note button', 'Add note');
    await reader.until(`document.activeElement.matches('textarea')`);
    await reader.type('It <b>gives up</b> early.');
    await reader.click('.tr-note button', 'Save');
    await reader.until(`document.querySelector('.tr-note p')`);
    const { metadata } = await fetchJson<{ metadata: JSONValue }>(served.url, '/traces/tr_rewards');

    expect(await reader.text('.tr-note p')).toBe('It <b>gives up</b> early.');
    expect(metadata).toEqual({ note: 'It <b>gives up</b> early.' });
  });

  test('prints the rendered part of the transcript without scroll containers', async () => {
    await using reader = await openTrace(served.url, 'tr_odd');

    await reader.tab.emulateMedia({ media: 'print' });
    const { layouts, page, rows } = await reader.evaluate<{ layouts: string[]; page: number; rows: number }>(
      `(() => { const rows = [...document.querySelectorAll('.tr-row')]; return { layouts: rows.map((row) => getComputedStyle(row).position + ' ' + getComputedStyle(row).transform), page: document.documentElement.scrollHeight, rows: rows.reduce((sum, row) => sum + row.offsetHeight, 0) }; })()`,
    );

    expect(new Set(layouts)).toEqual(new Set(['static none']));
    expect(page).toBeGreaterThan(rows);
  });

  test('prints on white in every theme', async () => {
    await using reader = await openTrace(served.url, 'tr_odd');
    const ground = () => reader.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
    await reader.evaluate(`document.documentElement.dataset.theme = 'dark'`);
    const onScreen = await ground();

    await reader.tab.emulateMedia({ media: 'print' });
    const onPaper = await ground();

    expect([onScreen, onPaper]).toEqual(['rgb(23, 24, 26)', 'rgb(251, 251, 250)']);
  });
});
