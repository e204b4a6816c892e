import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { violationsIn } from '../chromium.ts';
import { describeInBrowser } from '../in-browser.ts';
import { openViewer } from './reader.ts';
import { fetchJson, logCalls, type Served, serveFilled } from './served.ts';

const TREE = 'nav[aria-label="Continuations"]';
const OUTLINE_ROW = '[role="treeitem"][aria-selected="true"]';
const SELECTED = `document.querySelector('${OUTLINE_ROW}')`;
const CALLS = ['look', 'walk', 'open'];

interface BlockPage {
  readonly blocks: readonly { readonly id: string }[];
}

describeInBrowser('the page of a trace with continuations')('the continuations of a trace', () => {
  let served: Served;

  beforeAll(async () => {
    served = await serveFilled(async (traces) => {
      const add = async (
        id: string,
        reward: number,
        parent: { parent_trace_id?: string; parent_calls?: number } = {},
      ) => {
        const trace = traces.createTrace({ id, name: id.slice(3), run: 'maze', ...parent });
        trace.logMessage({ role: 'user', content: 'Find the exit.' });
        logCalls(
          trace,
          CALLS.map((tool, index) => ({ tool, reward: index === 2 ? reward : 0 })),
        );
        await trace.finish();
        // Lists are ordered by time.
        await traces.flush();
      };
      await add('tr_root', 1);
      await add('tr_plain', 1);
      for (const [index, reward] of [0, 1, 0.5].entries()) {
        await add(`tr_walked${index}`, reward, { parent_trace_id: 'tr_root', parent_calls: 2 });
      }
      await add('tr_restarted', -1, { parent_trace_id: 'tr_root', parent_calls: 0 });
      await add('tr_nested', 0.25, { parent_trace_id: 'tr_walked1', parent_calls: 1 });
      await add('tr_lost', 0, { parent_trace_id: 'tr_elsewhere', parent_calls: 4 });
      for (let index = 0; index < 30; index++) {
        await add(`tr_many${index}`, 1, { parent_trace_id: 'tr_nested', parent_calls: 1 + (index % 3) });
      }
    });
  });
  afterAll(() => served?.[Symbol.asyncDispose]());

  const open = (id: string) => openViewer(served.url, `?view=trace&trace=${id}`);
  const callsOf = async (id: string) =>
    (await fetchJson<BlockPage>(served.url, `/traces/${id}/blocks?sub_type=TOOL_CALL`)).blocks.map((block) => block.id);

  test('are a tree at the calls where they begin, with rewards, means and those of continuations', async () => {
    await using reader = await open('tr_root');
    await reader.until(`document.querySelectorAll('${TREE} .branches-fork').length === 11`);
    // The calls of a nested trace are read after its row is shown.
    await reader.until(`document.querySelector('${TREE}').innerText.match(/\\w+ {}/g)?.length === 5`);

    expect((await reader.texts(`${TREE} .branches-fork`)).map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
      '▾ 1 continuation from its start mean −1',
      'restarted finished −1',
      '▾ 3 continuations after call 2 mean 0.5 walk {}',
      'walked0 finished 0',
      'walked1 finished 1',
      '▾ 1 continuation after call 1 mean 0.25 look {}',
      'nested finished 0.25',
      '▸ 10 continuations after call 1 mean 1 look {}',
      '▸ 10 continuations after call 2 mean 1 walk {}',
      '▸ 10 continuations after call 3 mean 1 open {}',
      'walked2 finished 0.5',
    ]);
    expect(reader.console).toEqual([]);
  });

  test('open and close, lead to their traces and to the calls, by keyboard', async () => {
    await using reader = await open('tr_root');
    const [, second] = await callsOf('tr_root');
    await reader.until(`document.querySelectorAll('${TREE} .branches-fork').length === 11`);

    await reader.until(`[...document.querySelectorAll('${TREE} a')].some(({ hash }) => hash === '#${second}')`);
    await reader.evaluate(`document.querySelector('${TREE} button').focus()`);
    await reader.press('Enter');
    await reader.until(`document.querySelector('${TREE} button').ariaExpanded === 'false'`);
    const closed = await reader.text(TREE);
    await reader.press('Tab', 'Tab', 'Tab', 'Enter');
    await reader.until(`location.hash === '#${second}'`);
    await reader.until(SELECTED);
    const selected = await reader.text(OUTLINE_ROW);
    await reader.click(`${TREE} a`, 'nested');

    await reader.until(`document.querySelector('h1')?.innerText === 'nested'`);
    expect(closed).not.toContain('restarted');
    expect(selected).toContain('walk');
    expect(reader.console).toEqual([]);
  });

  test('link to the call of the parent where they begin', async () => {
    await using reader = await open('tr_walked1');
    const [, second] = await callsOf('tr_root');
    await reader.until(`document.querySelector('${TREE} a')?.hash === '#${second}'`);

    const text = await reader.text(`${TREE} p`);
    await reader.click(`${TREE} a`, 'after call 2');
    await reader.until(`document.querySelector('h1')?.innerText === 'root'`);

    expect(text).toBe('Continues tr_root after call 2');
    expect(await reader.evaluate('location.hash')).toBe(`#${second}`);
    await reader.until(SELECTED);
    expect(await reader.text(OUTLINE_ROW)).toContain('walk');
    expect(reader.console).toEqual([]);
  });

  test('say that the parent is not in the store', async () => {
    await using reader = await open('tr_lost');
    await reader.until(`document.querySelector('${TREE} p span')`);

    expect(await reader.text(TREE)).toBe('Continues tr_elsewhere after call 4, which is not in this store');
    expect(await reader.evaluate(`document.querySelectorAll('${TREE} a').length`)).toBe(0);
  });

  test('cost one request on the page of a trace that has none, and no code', async () => {
    await using reader = await open('tr_plain');
    const resources = `performance.getEntriesByType('resource').map(({ name }) => name)`;
    await reader.until(`${resources}.some((name) => name.includes('parent=tr_plain'))`);
    await reader.still();

    const names = await reader.evaluate<readonly string[]>(resources);
    expect(names.filter((name) => /[?&]parent=/.test(name))).toHaveLength(1);
    expect(names.filter((name) => name.includes('branches'))).toEqual([]);
    expect(await reader.evaluate(`document.querySelector('${TREE}')`)).toBeNull();
  });

  test('are accessible in both themes and at every width, and are not among the traces of the run', async () => {
    await using reader = await open('tr_root');
    await reader.until(`document.querySelectorAll('${TREE} .branches-fork').length === 11`);

    await reader.prefer('dark');
    expect(await violationsIn(reader, ['color-contrast'])).toEqual([]);
    await reader.prefer('light');
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      await reader.resize(width, height);
      expect([width, await violationsIn(reader)]).toEqual([width, []]);
      expect(await reader.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
    await reader.go('?view=run&run=maze');
    await reader.until(`document.querySelector('table.traces')`);
    expect(await reader.text('.run-line')).toContain('2 of 2 traces');
    await reader.go('?view=runs');
    await reader.until(`document.querySelector('table.traces')`);
    expect(await reader.evaluate(`document.querySelectorAll('table.traces tbody tr').length`)).toBe(2);
    await reader.click('.latest-calls a');
    await reader.until(`document.querySelectorAll('table.traces tbody tr').length === 20`);
  });
});
