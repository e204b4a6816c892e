import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { violationsIn } from '../chromium.ts';
import { describeInBrowser } from '../in-browser.ts';
import { openViewer, type Reader } from './reader.ts';
import { type Served, serveFilled } from './served.ts';

const BLOCK = 'tb_hidden';

async function openTrace(url: string, rest = ''): Promise<Reader> {
  const reader = await openViewer(url, `?view=trace&trace=tr_agents${rest}`);
  await reader.until(`document.querySelector('.tr-inner') && !document.querySelector('.tr-progress')`);
  return reader;
}

describeInBrowser('other agents of a trace')('the page of a trace with several agents', () => {
  let served: Served;

  beforeAll(async () => {
    served = await serveFilled(async (traces) => {
      const metadata = { threads: { 1: { name: 'researcher' } } };
      const trace = traces.createTrace({ id: 'tr_agents', name: 'planned', metadata });
      trace.logMessage({ role: 'user', content: 'plan it' });
      trace.logMessage({ role: 'assistant', content: 'ask the researcher' });
      const thread = { thread: 1 };
      trace.logMessage({ role: 'user', content: 'find the needle', extra: thread });
      const message = trace.logMessage({ role: 'assistant', content: 'I search.', extra: thread });
      const payload = { call_id: 'call_1', name: 'search', arguments: { for: 'needle' } };
      const call = trace.logAct({ id: BLOCK, parent_block_id: message.id, payload, extra: thread });
      const output = { call_id: 'call_1', output: 'no hay' };
      const extra = { ...thread, reward: 0.25, tool_error: true };
      trace.logObserve({ parent_block_id: call.id, payload: output, extra });
      trace.logMessage({ role: 'user', content: 'judge it', extra: { thread: 'critic' } });
      trace.logMessage({ role: 'assistant', content: 'it is done' });
      await trace.finish();
    });
  });
  afterAll(() => served?.[Symbol.asyncDispose]());

  const labels = (reader: Reader) => reader.texts('.tr-row .tr-label');
  const isOpen = (reader: Reader, isIt: boolean) =>
    reader.until(`document.querySelectorAll('.tr-row').length === ${isIt ? 9 : 5}`);
  const isChosen = (reader: Reader, label: string) =>
    reader.until(`document.querySelector('.tr-row.tr-chosen .tr-label')?.innerText === '${label}'`);

  test('folds each agent to a row with its name, its numbers of blocks and calls, rewards and errors', async () => {
    await using reader = await openTrace(served.url);
    await isOpen(reader, false);

    const agent = await reader.text('.tr-row.tr-agent');
    const item = await reader.text('.tr-item.tr-agent');
    await reader.click('.tr-row.tr-agent .tr-head');
    await isOpen(reader, true);
    const open = await labels(reader);
    await reader.prefer('dark');
    const dark = await violationsIn(reader, ['color-contrast']);
    await reader.prefer('light');

    expect(agent).toMatch(/researcher\s+4 blocks, 1 call: find the needle\s+✕ error\s+0\.25/);
    expect(item).toMatch(/researcher\s+4 blocks, 1 call: find the needle\s+✕\s+0\.25/);
    expect(open).toEqual([
      ...['user', 'assistant', 'researcher', 'user', 'assistant', 'search', 'result', 'critic', 'assistant'],
    ]);
    expect(dark).toEqual([]);
    expect(await violationsIn(reader)).toEqual([]);
    expect(reader.console).toEqual([]);
  });

  test('opens and closes an agent with Enter and the arrow keys, and keeps it selected after a reload', async () => {
    await using reader = await openTrace(served.url);
    await isOpen(reader, false);

    await reader.press('j', 'j', 'j');
    await isChosen(reader, 'researcher');
    await reader.until(`location.hash === '#agent-1'`);
    await reader.until(`document.activeElement.matches('.tr-agent')`);
    await reader.press('Enter');
    await isOpen(reader, true);
    await reader.press('Enter');
    await isOpen(reader, false);
    await reader.evaluate(`document.querySelector('.tr-tree').focus()`);
    await reader.press('ArrowRight');
    await isOpen(reader, true);
    const expanded = await reader.evaluate(`document.querySelector('.tr-item.tr-agent').getAttribute('aria-expanded')`);
    await reader.press('ArrowLeft');
    await isOpen(reader, false);
    await reader.tab.reload();
    await isChosen(reader, 'researcher');
    await reader.press('e');
    await reader.until(`document.querySelectorAll('.tr-row').length === 10`);
    await reader.press('c');
    await reader.until(`!document.querySelector('.tr-body')`);

    expect(expanded).toBe('true');
    expect(reader.console).toEqual([]);
  });

  test.each<readonly [string, (reader: Reader) => Promise<unknown>]>([
    ['the next message', (reader) => reader.press('Home', 'J', 'J', 'J')],
    [
      'a hit of a search',
      async (reader) => {
        await reader.press('/');
        await reader.type('I search');
        await reader.until(`document.querySelector('.tr-count')?.innerText.includes('1 hit')`);
        await reader.press('Enter');
      },
    ],
    ['a link', (reader) => reader.evaluate(`location.hash = '${BLOCK}'`)],
    ['a bar of the rewards', (reader) => reader.click('.tr-bars')],
  ])('opens the agent of %s', async (_name, act) => {
    await using reader = await openTrace(served.url);
    await isOpen(reader, false);

    await act(reader);
    await isOpen(reader, true);
    await reader.until(`document.querySelector('.tr-row.tr-chosen')?.className.includes('tr-depth-')`);

    const [chosen] = await reader.texts('.tr-row.tr-chosen .tr-label');
    expect(['user', 'assistant', 'search', 'result']).toContain(chosen);
    const inside = await reader.evaluate(
      `!document.querySelector('.tr-row.tr-chosen').matches('.tr-depth-0') && document.activeElement.matches('.tr-row.tr-chosen, input')`,
    );
    expect(inside).toBe(true);
  });

  test('scrolls to the block of a link inside an agent', async () => {
    await using reader = await openTrace(served.url, `#${BLOCK}`);

    await isChosen(reader, 'search');
    await reader.still();
    const isVisible = await reader.evaluate(
      `((row, view) => row.top >= view.top && row.top < view.bottom)(document.querySelector('.tr-chosen.tr-row').getBoundingClientRect(), document.querySelector('.tr-scroll').getBoundingClientRect())`,
    );

    expect(isVisible).toBe(true);
    expect(reader.console).toEqual([]);
  });

  test('shows the requests of all agents in the time line', async () => {
    await using reader = await openTrace(served.url);

    await reader.press('t');
    await reader.until(`document.querySelector('.tr-time-model')`);

    expect(await reader.evaluate(`document.querySelector('.tr-bars').getAttribute('aria-valuemax')`)).toBe('4');
  });
});
