import { afterAll, beforeAll, expect, test } from '@jest/globals';
import countdown from '../../../examples/countdown/environment.ts';
import maze from '../../../examples/maze/environment.ts';
import type { JSONValue } from '../../../generated/trace.ts';
import { quiz } from '../../bridges/quiz.ts';
import { start } from '../../support/client.ts';
import { describeInBrowser } from '../in-browser.ts';
import { openViewer, type Reader } from './reader.ts';
import { fetchJson, type Served, serveRecorded, tracesOf } from './served.ts';

const sum = (reader: Reader) => reader.text('.play-sum strong');
const numberIn = (shown: string) => Number(shown.replace('−', '-'));
const untilCalls = (reader: Reader, count: number) =>
  reader.until(
    `document.querySelectorAll('.play-call').length === ${count} && !document.querySelector('.play-call [role=status]')`,
  );

/** Script that makes the session id of the page readable. */
const NOTE_SESSIONS = `const real = fetch; window.fetch = (requested, init) => { window.sid = new Headers(init?.headers ?? requested.headers).get('x-session-id') ?? window.sid; return real(requested, init); };`;

async function openTask(url: string, environment: string, index = 0): Promise<Reader> {
  const reader = await openViewer(url, `?view=play&environment=${environment}&split=train&index=${index}`);
  await reader.click('button', 'Start an episode');
  await reader.until(`document.querySelector('.play-tools form')`);
  return reader;
}

/** Answers the dialogs of the page, and records them. */
const answer = (reader: Reader, isYes: boolean) =>
  reader.evaluate(`(window.asked = [], window.confirm = (text) => { window.asked.push(text); return ${isYes}; }, 0)`);

/** Navigates to the environments, and answers the browser's dialog. */
async function leave(reader: Reader, isSure: boolean): Promise<void> {
  const requested = reader.tab.waitForEvent('dialog');
  // While a dialog is open, the page answers nothing else.
  await reader.evaluate(`setTimeout(() => location.assign('?view=environments'))`);
  const question = await requested;
  await (isSure ? question.accept() : question.dismiss());
}

/** Calls `move` with one direction through the form. */
async function move(reader: Reader, direction: string): Promise<void> {
  const before = (await reader.texts('.play-call')).length;
  await reader.click('.play-tools .form-choice label', direction);
  await reader.click('.play-tools button.primary');
  await untilCalls(reader, before + 1);
}

describeInBrowser('the playground')('the playground', () => {
  let served: Served;

  beforeAll(async () => {
    served = await serveRecorded([countdown, maze, quiz]);
  });
  afterAll(() => served?.[Symbol.asyncDispose]());

  test('shows a conversation with its roles, and ends with the final message', async () => {
    await using reader = await openTask(served.url, 'quiz');
    const roles = await reader.texts('.play-prompt > small');
    const prompt = await reader.texts('.play-prompt');
    await reader.click('.play-answer button.primary');
    await reader.until(`document.querySelector('.play-answer .form-problems')`);
    const untouched = await reader.texts('.play-call');
    await reader.click('.play-answer textarea');
    await reader.type('two');
    await reader.click('.play-answer button.primary');
    await untilCalls(reader, 1);
    const refusal = await reader.text('.play-call .play-error');

    await reader.click('.play-answer textarea');
    await reader.press('Control+A');
    await reader.type('2');
    await reader.click('.play-answer button.primary');
    await reader.until(`document.querySelector('.play-over')`);

    expect(roles).toEqual(['Prompt: system', 'Prompt: user', 'Prompt: assistant', 'Prompt: user']);
    expect(prompt[2]).toContain('look.up');
    expect(prompt[3]).toMatch(/Result: an error\s+out of order/);
    expect(await reader.texts('.play-tools > .choices button')).toEqual(['look.up']);
    expect(untouched).toEqual([]);
    expect(refusal).toContain('Refused (input_validation):');
    expect(await reader.text('.play-over h2')).toBe('Finished: reward 1 in 2 calls');
    expect(await reader.text('.play-call:last-child header')).toContain('Final message');
    expect(reader.console).toEqual([]);
  });

  test('shows the prompt with its image, and the tools with forms', async () => {
    await using reader = await openTask(served.url, 'maze');

    await reader.until(`document.querySelector('.play-prompt img')?.naturalWidth > 50`);
    expect(await reader.text('.play-prompt')).toContain('Walk to the exit of this maze');
    expect(await reader.text('.play-tools')).toContain('Call move');
    expect(await reader.text('.play-tools')).toContain('direction');
    expect(reader.console).toEqual([]);
  });

  test('calls a tool through its form, shows result and reward, and records the call in the store', async () => {
    await using reader = await openTask(served.url, 'maze', 1);

    for (const direction of ['north', 'east', 'south', 'west']) await move(reader, direction);
    const shown = await reader.texts('.play-call .reward');
    const link = await reader.evaluate<string>(`document.querySelector('.play-recording a').getAttribute('href')`);
    await using beside = await openViewer(served.url, link);
    await beside.until(`document.querySelectorAll('.tr-item').length >= 9`);
    const id = new URLSearchParams(link).get('trace') ?? '';
    const { blocks } = await fetchJson<{ blocks: { sub_type: string; reward: number | null }[] }>(
      served.url,
      `/traces/${id}/blocks?fields=skeleton&limit=1000`,
    );
    const rewards = blocks
      .filter(({ sub_type }) => sub_type === 'TOOL_RESULT')
      .map(({ reward }) => reward ?? Number.NaN);

    expect(shown).toHaveLength(4);
    expect(shown.map(numberIn)).toEqual(rewards.map((each) => expect.closeTo(each, 3)));
    expect(rewards.some((each) => each !== 0)).toBe(true);
    expect(await beside.text('.tr-scroll')).toContain('Walk to the exit');
    expect(await reader.text('.play-header .status')).toBe('playing');
  });

  test('sums the rewards of the calls, and reports form errors before anything is sent', async () => {
    await using reader = await openTask(served.url, 'maze');
    const before = await sum(reader);

    await reader.click('.play-tools button.primary');
    await reader.until(`document.querySelector('.form-problems')`);
    const calls = await reader.texts('.play-call');
    for (const direction of ['north', 'east', 'south', 'west']) await move(reader, direction);
    const rewards = (await reader.texts('.play-call .reward')).map(numberIn);

    expect(before).toBe('–');
    expect(calls).toEqual([]);
    expect(numberIn(await sum(reader))).toBeCloseTo(
      rewards.reduce((all, each) => all + each, 0),
      3,
    );
  });

  test('plays a text environment by typing, and submits with Enter', async () => {
    await using reader = await openTask(served.url, 'countdown');

    await reader.click('.play-tools textarea');
    await reader.type('1 + 1');
    await reader.press('Enter');
    await untilCalls(reader, 1);

    expect(await reader.text('.play-call')).toContain('1 + 1');
    expect(reader.console).toEqual([]);
  });

  test('never sends a text that the user has not touched', async () => {
    await using reader = await openTask(served.url, 'countdown');

    await reader.click('.play-tools button.primary');
    await reader.until(`document.querySelector('.form-problems')`);
    const untouched = await reader.texts('.play-call');
    const focused = await reader.evaluate(`document.activeElement.matches('textarea[aria-invalid=true]')`);
    await reader.type('1');
    await reader.press('Backspace', 'Enter');
    await untilCalls(reader, 1);

    expect([untouched, focused]).toEqual([[], true]);
    expect(reader.console).toEqual([]);
  });

  test('exports an episode as a demonstration: its prompt, its calls and their results', async () => {
    await using reader = await openTask(served.url, 'maze', 2);
    await move(reader, 'south');
    await reader.until(`document.querySelector('.play-recording a')`);

    const file = await reader.download(() => reader.click('.play-recording button', 'Export demonstration'));
    const { messages } = JSON.parse(file.trim().split('\n')[0] ?? '') as {
      messages: { role: string; tool_calls?: { function: { name: string; arguments: string } }[] }[];
    };
    const call = messages.find(({ tool_calls }) => tool_calls)?.tool_calls?.[0]?.function;

    expect(messages.map(({ role }) => role)).toEqual(expect.arrayContaining(['user', 'assistant', 'tool']));
    expect(call?.name).toBe('move');
    expect(JSON.parse(call?.arguments ?? '{}')).toEqual({ direction: 'south', steps: 1 });
  });

  test('creates the demonstration of an episode that is not recorded, even if the server has become unreachable', async () => {
    const server = await start([maze]);
    await using reader = await openTask(server.url, 'maze', 2);
    const isLoaded = `performance.getEntriesByType('resource').some(({ name }) => name.includes('demonstration'))`;
    const isLoadedEarly = await reader.evaluate(isLoaded);
    await move(reader, 'south');
    await reader.until(isLoaded);
    await reader.setOffline(true);

    const file = await reader.download(() => reader.click('.play-recording button', 'Export demonstration'));
    await server.close();
    const { messages, metadata } = JSON.parse(file) as { messages: { role: string }[]; metadata: JSONValue };

    expect(isLoadedEarly).toBe(false);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(metadata).toMatchObject({ environment: 'maze', split: 'train', index: 2 });
  });

  test('ends the episode on the server when the page is left', async () => {
    const before = await tracesOf(served.url, 'status=running');
    await using reader = await openTask(served.url, 'maze', 3);
    await move(reader, 'south');

    const [open] = (await tracesOf(served.url, 'status=running')).filter(({ id }) =>
      before.every((it) => it.id !== id),
    );
    await answer(reader, true);
    await reader.click('.top nav a', 'Environments');
    await reader.until(`document.querySelector('.env-tools')`);
    await reader.until(
      `fetch('/v1/organizations/default/traces/${open?.id}').then((it) => it.json()).then((it) => it.status !== 'running')`,
    );

    expect(open?.task_index).toBe(3);
    expect(reader.console).toEqual([]);
  });

  test('asks before a running episode is ended', async () => {
    await using reader = await openViewer(served.url, '?view=environment&environment=maze&split=train');
    await reader.click('a[aria-label="Play task 5"]');
    await reader.until(`document.querySelector('.play-tools form')`);
    await answer(reader, false);
    await reader.press('a');
    await reader.until(`document.querySelector('.play-tools form')`);
    const askedAtFirst = await reader.evaluate('window.asked.length');
    await move(reader, 'south');
    const address = await reader.evaluate<string>('location.href');

    await reader.press('a');
    await reader.press('n');
    await reader.press('g', 'r');
    await reader.click('.play-header a', 'Next task');
    await reader.evaluate('history.back()');
    await reader.until('window.asked.length === 5');

    expect(askedAtFirst).toBe(0);
    expect(await reader.evaluate('location.href')).toBe(address);
    expect(await reader.texts('.play-call')).toHaveLength(1);
    expect(await reader.evaluate(`document.querySelector('.play-recording a').target`)).toBe('_blank');
    await move(reader, 'south');
    await answer(reader, true);
    await reader.press('a');
    await reader.until(`document.querySelectorAll('.play-call').length === 0`);
    expect(reader.console).toEqual([]);
  });

  test('asks before a tab with a running episode is closed', async () => {
    await using reader = await openTask(served.url, 'maze', 6);
    await move(reader, 'south');

    await leave(reader, false);
    const stage = await reader.text('.play-header .status');
    await leave(reader, true);
    await reader.tab.waitForURL(({ search }) => search === '?view=environments');

    expect(stage).toBe('playing');
  });

  test('reports a lost session, and can start again', async () => {
    await using reader = await openViewer(served.url, '?view=environments');
    await reader.tab.addInitScript(NOTE_SESSIONS);
    await reader.go('?view=play&environment=maze&split=train&index=4');
    await reader.click('button', 'Start an episode');
    await reader.until(`document.querySelector('.play-tools form')`);

    await fetch(`${served.url}/delete`, {
      method: 'POST',
      headers: { 'X-Session-ID': await reader.evaluate<string>('window.sid') },
    });
    await reader.click('.play-tools .form-choice label', 'south');
    await reader.click('.play-tools button.primary');
    await reader.until(`document.querySelector('.play-over')`);
    const title = await reader.text('.play-over h2');
    await reader.click('.play-over button', 'Start again');
    await reader.until(`document.querySelector('.play-header .status')?.innerText === 'playing'`);
    await move(reader, 'south');

    expect(title).toBe('The server no longer has this episode');
    expect(await reader.texts('.play-call .play-error')).toEqual([]);
  });
});

describeInBrowser('the environments')('the pages of environments', () => {
  test('show what is hosted: splits with their sizes, tasks by pages, tools with their schemas', async () => {
    await using served = await serveRecorded([countdown, maze]);
    await using reader = await openViewer(served.url, '?view=environments');
    await reader.until(`document.querySelectorAll('.env-tools').length === 2`);
    const cards = await reader.texts('.env-card');

    await reader.click('.env-card h2 a', 'maze');
    await reader.until(`document.querySelectorAll('.env-tasks li').length === 25`);
    await reader.click('.env-pager a', 'Next');
    await reader.until(`document.querySelector('.env-pager')?.innerText.includes('25 – 49 of 1,000')`);
    await reader.until(`document.querySelector('.env-tasks li .number')?.innerText === '25'`);

    expect(cards[1]).toMatch(/train\s*1,000 tasks/);
    expect(await reader.evaluate('location.search')).toContain('at=25');
    expect(await reader.text('.env-side')).toMatch(/direction[\s\S]*north/);
    expect(reader.console).toEqual([]);
  });

  test('show the terminal tool as the final message that it grades', async () => {
    await using served = await serveRecorded([quiz]);
    await using reader = await openViewer(served.url, '?view=environments');
    await reader.until(`document.querySelector('.env-tools')`);
    const card = await reader.text('.env-tools');

    await reader.click('.env-card h2 a', 'quiz');
    await reader.until(`document.querySelector('.env-tool')`);

    expect(card).toMatch(/look\.up\s+Look a term up\.\s+Final message\s+Grades the answer\./);
    expect(await reader.texts('.env-tool h3')).toEqual(['look.up', 'Final message']);
    expect(reader.console).toEqual([]);
  });
});
