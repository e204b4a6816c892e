import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Score, Trace } from '../../../generated/trace.ts';
import { describeInBrowser } from '../in-browser.ts';
import { openViewer } from './reader.ts';
import { fetchJson, logCalls, type Served, serveFilled } from './served.ts';

describeInBrowser('scores and changes of many traces')('judgement by people', () => {
  let served: Served;

  beforeAll(async () => {
    served = await serveFilled(async (traces) => {
      for (const index of [0, 1, 2, 3, 4, 5]) {
        const trace = traces.createTrace({
          id: `tr_${index}`,
          run: index < 4 ? 'rated' : 'other',
          name: `trace ${index}`,
        });
        trace.logMessage({ role: 'user', content: `question ${index}` });
        logCalls(trace, [{ tool: 'dig', output: `\u001b[1manswer ${index}\u001b[0m`, reward: index }]);
        await trace.finish();
        // Lists are ordered by time.
        await traces.flush();
      }
    });
  });
  afterAll(() => served?.[Symbol.asyncDispose]());

  const scoresOf = async (query: string) =>
    (await fetchJson<{ scores: Score[] }>(served.url, `/scores?${query}`)).scores;

  test('rates a queue by keyboard, skips and undoes, and does not ask again', async () => {
    await using reader = await openViewer(served.url, '?view=rate&q=run:=rated&name=answer&options=good,bad');
    const shown = (index: number) => reader.until(`document.querySelector('h2')?.innerText === 'trace ${index}'`);

    await shown(3);
    await reader.until(`document.querySelector('.rate-call')`);
    const text = await reader.text('.rate-messages');
    await reader.press('1');
    await shown(2);
    await reader.press('s');
    await shown(1);
    await reader.press('2');
    await shown(0);
    await reader.press('u');
    await shown(1);
    await reader.press('c');
    await reader.type('not so bad');
    await reader.press('Escape', '2');
    await shown(0);
    await reader.press('1');
    await reader.until(`document.querySelector('h2')?.innerText === 'Nothing is left to rate'`);
    await reader.go('?view=rate&q=run:=rated&name=answer&options=good,bad');
    await shown(2);

    expect(text).toContain('question 3');
    expect(text).toContain('answer 3');
    const scores = (await scoresOf('name=answer')).map(({ trace_id, label, comment, source }) => [
      trace_id,
      label,
      comment,
      source,
    ]);
    expect(scores).toEqual([
      ['tr_3', 'good', null, 'human'],
      ['tr_1', 'bad', 'not so bad', 'human'],
      ['tr_0', 'good', null, 'human'],
    ]);
    expect(reader.console).toEqual([]);
  });

  test('renders results and formulas for rating, and closes long texts at first', async () => {
    await using filled = await serveFilled(async (traces) => {
      const trace = traces.createTrace({ run: 'rendered', name: 'rendered' });
      trace.logMessage({ role: 'user', content: 'Compute $x^2$.' });
      const blocks = [{ type: 'text', text: '\u001b[32mpassed\u001b[0m' }];
      logCalls(trace, [
        {
          tool: 'run',
          input: { code: 'print(1)' },
          output: { ok: true, output: { blocks, reward: 1, finished: true } },
        },
        { tool: 'read', output: `\u001b[31m${'long '.repeat(1_000)}\u001b[0m` },
      ]);
      await trace.finish();
    });
    await using reader = await openViewer(filled.url, '?view=rate&q=run:=rendered');
    await reader.until(`document.querySelector('.rate-message math')`);
    await reader.until(`document.querySelector('.rate-call .payload-result span[style*="--good"]')`);

    const [run = '', read = ''] = await reader.texts('.rate-call');
    const summary = await reader.text('.rate-call summary');

    expect(run).toMatch(/run\s.*print\(1\).*passed.*finished/s);
    expect(run).not.toMatch(/\[32m|"blocks"|"ok"/);
    expect(summary).toMatch(/^long long .* …$/);
    expect(read).not.toContain('long '.repeat(100));
    expect(reader.console).toEqual([]);
  });

  test('rates with numbers and the name of the author, which the browser remembers', async () => {
    await using reader = await openViewer(served.url, '?view=rate&q=run:=other');
    await reader.until(`document.querySelector('.rate-bar')`);

    await reader.click('[aria-label="Author"]');
    await reader.type('ada');
    await reader.click('.rate-option', '4');
    await reader.until(`document.querySelector('h2')?.innerText === 'trace 4'`);

    expect(await scoresOf('author=ada')).toMatchObject([{ trace_id: 'tr_5', name: 'quality', value: 4 }]);
    expect(await reader.evaluate('document.querySelector("[aria-label=Author]").value')).toBe('ada');
  });

  test('adds a score of a block on the page of a trace, lists it and deletes it', async () => {
    await using reader = await openViewer(served.url, '?view=trace&trace=tr_2');
    await reader.until(`document.querySelector('.tr-inner')`);
    await reader.press('j');
    await reader.until(`location.hash.startsWith('#tb_')`);
    const block = (await reader.evaluate<string>('location.hash')).slice(1);

    await reader.press('S');
    await reader.until(`document.querySelector('.score-form')`);
    const fill = async (label: string, text: string) => {
      await reader.tab.getByLabel(label, { exact: true }).fill(text);
    };
    await fill('Criterion', 'tool use');
    await fill('Number', '0.5');
    await fill('Label', 'needless');
    await fill('Comment', 'a <comment>');
    await reader.tab.getByLabel('only the selected block').check();
    await reader.click('button', 'Add score');
    await reader.until(`document.querySelector('.score')`);
    const shown = await reader.text('.score');
    const stored = await scoresOf('trace_id=tr_2&name=tool%20use');
    await reader.click('[aria-label="Delete the score tool use"]');
    await reader.until(`!document.querySelector('.score')`);

    expect(shown).toMatch(/tool use\s+0\.5\s+needless.*a <comment>.*block tb_/s);
    expect(stored).toMatchObject([{ block_id: block, value: 0.5, label: 'needless', comment: 'a <comment>' }]);
    expect(await scoresOf('trace_id=tr_2&name=tool%20use')).toEqual([]);
    expect(reader.console).toEqual([]);
  });

  test('scores a run on its page, and tags traces that are selected there', async () => {
    await using reader = await openViewer(served.url, '?view=run&run=rated');
    await reader.until(`document.querySelector('table.traces')`);

    await reader.click('button', 'Scores …');
    await reader.until(`document.querySelector('.score-form')`);
    await reader.tab.getByLabel('Criterion', { exact: true }).fill('verdict');
    await reader.tab.getByLabel('Label', { exact: true }).fill('promising');
    await reader.click('button', 'Add score');
    await reader.until(
      `[...document.querySelectorAll('.score')].some(({ innerText }) => innerText.includes('verdict'))`,
    );
    await reader.press('Escape');
    await reader.click('[aria-label="Select tr_0"]');
    await reader.until(`document.querySelector('.run-chosen button')?.innerText === 'Tag …'`);
    await reader.click('.run-chosen button', 'Tag …');
    await reader.click('dialog input');
    await reader.type('seen');
    await reader.press('Enter');
    await reader.until(`document.querySelector('dialog [role=status]')?.innerText === '1 trace changed.'`);

    expect(await scoresOf('name=verdict')).toMatchObject([{ run: 'rated', trace_id: null, label: 'promising' }]);
    expect((await fetchJson<Trace>(served.url, '/traces/tr_0')).tags).toEqual(['seen']);
    expect(reader.console).toEqual([]);
  });

  test.each([
    ['a text of blocks', 'run:=rated error:boom', 'cannot use error:boom: expected error:true'],
    ['a negated text', 'run:=rated -boom', 'cannot use -boom: expected a field after a negation'],
    ['an invalid value', 'reward:high', 'cannot use high: expected a number'],
  ])('explains which part of a query the queue cannot use: %s', async (_name, query, message) => {
    await using reader = await openViewer(served.url, `?view=rate&q=${encodeURIComponent(query)}`);

    await reader.until(`document.querySelector('.banner')`);

    expect(await reader.text('.banner')).toContain(message);
    expect(await reader.evaluate(`document.querySelector('.rate-bar')`)).toBeNull();
  });

  test('rates traces by fields of their blocks and a part of their name, with completions', async () => {
    await using reader = await openViewer(served.url, '?view=rate&name=style&q=tool:dig error:false trace 2');
    await reader.until(`document.querySelector('h2')?.innerText === 'trace 2'`);

    const about = await reader.text('.rate-progress');
    await reader.click('.rate-query input');
    await reader.press('End');
    await reader.type(' role:us');
    await reader.until(`document.querySelector('[role=option]')?.innerText.includes('user')`);

    expect(about).toBe('0 traces rated, 1 left, with “trace 2” in the name or id');
    expect(reader.console).toEqual([]);
  });

  test('tags and deletes selected traces of a search', async () => {
    await using reader = await openViewer(served.url, '?view=search&q=run:=other');
    await reader.until(`document.querySelectorAll('table.traces tbody tr').length === 2`);

    await reader.click('button', 'Select all 2');
    await reader.click('button', 'Tag …');
    await reader.click('dialog input');
    await reader.type('kept, late');
    await reader.press('Enter');
    await reader.until(`document.querySelector('dialog [role=status]')?.innerText === '2 traces changed.'`);
    const { tags } = await fetchJson<Trace>(served.url, '/traces/tr_4');
    await reader.press('Escape');
    await reader.click('button', 'Select none');
    await reader.click('[aria-label="Select tr_4"]');
    await reader.click('button', 'Delete …');
    await reader.click('dialog button', 'Delete 1 trace');
    await reader.until(`document.querySelectorAll('table.traces tbody tr').length === 1`);

    expect(tags).toEqual(['kept', 'late']);
    const { traces } = await fetchJson<{ traces: Trace[] }>(served.url, '/traces?run=other');
    expect(traces.map(({ id }) => id)).toEqual(['tr_5']);
  });

  test.each([
    ['?view=search&q=run:=undeletable', 'Select all 2'],
    ['?view=run&run=undeletable', undefined],
  ])('keeps the dialog open on %s if a deletion fails, says why, and repeats it', async (address, selectAll) => {
    const ids = [0, 1].map((index) => `tr_${address.length}_${index}`);
    for (const id of ids) await served.store.createTrace('default', { id, run: 'undeletable' });
    await using reader = await openViewer(served.url, address);
    await reader.until(`document.querySelectorAll('table.traces tbody tr').length === 2`);
    const failed = { trace_id: ids[1], code: 'OVERLOADED', message: 'the store is full' };
    await reader.tab.route('**/bulk', async (route) => {
      await served.store.deleteTrace('default', ids[0] ?? '');
      await route.fulfill({ json: { changed: 1, failed: [failed] } });
    });

    if (selectAll !== undefined) await reader.click('button', selectAll);
    else for (const id of ids) await reader.click(`[aria-label="Select ${id}"]`);
    await reader.click('button', 'Delete …');
    await reader.click('dialog button', 'Delete 2 traces');
    await reader.until(`document.querySelector('dialog [role=status]')?.innerText.includes('1 trace deleted')`);
    const partly = [await reader.text('dialog h2'), await reader.text('dialog [role=status]')];
    await reader.tab.unroute('**/bulk');
    await reader.tab.route('**/bulk', (route) => route.abort());
    await reader.click('dialog button', 'Delete 1 trace');
    await reader.until(`document.querySelector('dialog [role=status]')?.innerText.includes('0 traces deleted')`);
    const offline = await reader.text('dialog [role=status]');
    await reader.tab.unroute('**/bulk');
    await reader.click('dialog button', 'Delete 1 trace');
    await reader.until(`!document.querySelector('dialog')`);

    expect(partly).toEqual([
      'Delete 1 trace?',
      '1 trace deleted. 1 trace not deleted: the store is full. Try again, or close this dialog.',
    ]);
    expect(offline).toContain('1 trace not deleted: the server is unreachable. Try again');
    expect((await served.store.traces('default', { run: 'undeletable', limit: 5 })).items).toEqual([]);
  });

  test('sorts the found traces by a score', async () => {
    for (const [index, value] of [3, 1, 2].entries()) {
      await served.store.addScore('default', { trace_id: `tr_${index}`, name: 'grade', value });
    }
    await using reader = await openViewer(served.url, '?view=search&q=score:grade');
    const order = async (first: string) => {
      await reader.until(`document.querySelector('table.traces td.name')?.innerText === '${first}'`);
      return await reader.texts('table.traces td.name');
    };

    const byTime = await order('trace 2');
    await reader.click('button', 'Sort by grade');
    const best = await order('trace 0');
    await reader.click('button', 'Sort by grade');
    const worst = await order('trace 1');

    expect([byTime, best, worst]).toEqual([
      ['trace 2', 'trace 1', 'trace 0'],
      ['trace 0', 'trace 2', 'trace 1'],
      ['trace 1', 'trace 2', 'trace 0'],
    ]);
  });

  test('exports the found traces as a page that is readable without the server', async () => {
    await using reader = await openViewer(served.url, '?view=search&q=run:=rated%20reward:>=2');
    await reader.until(`document.querySelector('.search-actions select')`);

    const html = await reader.download(() => reader.choose('.search-actions select', 'html'));
    await reader.tab.setContent(html);

    expect(await reader.texts('h1')).toEqual(['trace 2', 'trace 3']);
    expect(await reader.text('article')).toContain('answer 2');
    expect([...reader.hosts]).toEqual([served.url]);
  });
});
