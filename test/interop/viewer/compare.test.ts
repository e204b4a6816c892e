import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../in-browser.ts';
import { openViewer, type Reader } from './reader.ts';
import { type Did, logCalls, type Served, serveFilled } from './served.ts';

const LEFT: readonly Did[] = [
  { tool: 'look', input: { at: 'map' }, output: 'a river' },
  { tool: 'walk', input: { to: 'north' }, output: 'wet' },
  { tool: 'rest', input: {}, output: 'rested' },
  { tool: 'take', input: { what: 'key', hand: 'left' }, output: 'taken' },
  { tool: 'open', input: { what: 'door' }, output: 'open', reward: 1 },
];
const RIGHT: readonly Did[] = [
  { tool: 'look', input: { at: 'map' }, output: 'a river' },
  { tool: 'walk', input: { to: 'south' }, output: 'dry' },
  { tool: 'take', input: { hand: 'left', what: 'key' }, output: 'taken' },
  { tool: 'open', input: { what: 'door' }, output: 'locked', reward: 0 },
  { tool: 'read', input: { what: 'sign' }, output: 'keep out' },
];

/** Logs a trace of calls under one message. */
function logUnderOne(traces: Parameters<Parameters<typeof serveFilled>[0]>[0], id: string, calls: readonly Did[]) {
  const trace = traces.createTrace({ id, run: 'pair', task_spec: { of: 'both' } });
  const message = trace.logMessage({ role: 'user', content: 'Find the way.' });
  calls.forEach(({ tool, input = {}, output = '', reward }, index) => {
    const call = trace.logAct({
      parent_block_id: message.id,
      payload: { call_id: `c${index}`, name: tool, arguments: input },
    });
    trace.logObserve({
      parent_block_id: call.id,
      payload: { call_id: `c${index}`, output },
      extra: reward === undefined ? {} : { reward },
    });
  });
  return trace.finish();
}

const kinds = (reader: Reader) =>
  reader.evaluate<string[]>(
    `[...document.querySelectorAll('.compare-row:not(.compare-same)')].map((row) => row.querySelector('.compare-kind b').innerText + ' ' + row.innerText.match(/call (\\w+)/)?.[1])`,
  );

describeInBrowser('the comparison of two traces')('the comparison of two traces', () => {
  let served: Served;

  beforeAll(async () => {
    served = await serveFilled(async (traces) => {
      await logUnderOne(traces, 'tr_left', LEFT);
      await logUnderOne(traces, 'tr_right', RIGHT);
      const other = traces.createTrace({ id: 'tr_far', run: 'far', task_spec: { of: 'another' } });
      logCalls(other, [{ tool: 'look' }]);
      await other.finish();
    });
  });
  afterAll(() => served?.[Symbol.asyncDispose]());

  test('shows what was changed, added and removed, and folds what is equal', async () => {
    await using reader = await openViewer(served.url, '?view=compare&traces=tr_left%2Ctr_right');
    await reader.until(`document.querySelector('.compare-bar')`);

    expect(await kinds(reader)).toEqual(['~ changed walk', '− removed rest', '≠ result open', '+ added read']);
    expect(await reader.text('.compare-change')).toMatch(/−1\s/);
  });

  test('steps through the differences with n and N, and updates the address', async () => {
    await using reader = await openViewer(served.url, '?view=compare&traces=tr_left%2Ctr_right');
    await reader.until(`document.querySelector('.compare-bar')`);
    const current = () =>
      reader.evaluate<string>(`document.activeElement.querySelector('.compare-kind b')?.innerText ?? ''`);

    await reader.press('n', 'n', 'n');
    await reader.until(`location.search.includes('at=3')`);
    await reader.until(`document.activeElement.matches('.compare-row[aria-current]')`);
    const third = await current();
    await reader.press('N');
    await reader.until(`location.search.includes('at=2')`);
    await reader.until(`document.activeElement.matches('.compare-row.compare-removed')`);

    expect(third).toBe('≠ result');
    expect(await current()).toBe('− removed');
  });

  test('swaps added and removed when the sides are swapped', async () => {
    await using reader = await openViewer(served.url, '?view=compare&traces=tr_left%2Ctr_right');
    await reader.until(`document.querySelector('.compare-bar')`);

    await reader.click('button', 'Swap');
    await reader.until(`location.search.includes('tr_right%2Ctr_left')`);
    await reader.until(`document.querySelector('.compare-sides td.name')?.innerText === 'tr_right'`);

    expect((await kinds(reader)).toSorted()).toEqual(
      ['~ changed walk', '+ added rest', '≠ result open', '− removed read'].toSorted(),
    );
  });

  test('reports traces of different tasks, and links to the runs if one does not exist', async () => {
    await using reader = await openViewer(served.url, '?view=compare&traces=tr_left%2Ctr_far');
    await reader.until(`document.querySelector('.banner')`);
    const said = await reader.text('.banner');
    await reader.go('?view=compare&traces=tr_left%2Ctr_nowhere');
    await reader.until(`document.querySelector('.failure')`);

    expect(said).toBe('The traces have different tasks.');
    expect(await reader.text('.failure h2')).toBe('Not found');
  });

  test.each([
    ['tr_left%2Ctr_left', 'Both are the same trace'],
    ['tr_left', 'Choose another trace'],
    ['', 'Choose two traces'],
  ])('explains what an address without two traces lacks: %j', async (traces, title) => {
    await using reader = await openViewer(served.url, `?view=compare&traces=${traces}`);
    await reader.until(`document.querySelector('.notice')`);

    expect(await reader.text('.notice h2')).toBe(title);
    expect(await reader.texts('.notice a')).toContain('All runs');
  });
});
