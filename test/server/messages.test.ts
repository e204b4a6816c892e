import { expect, test } from '@jest/globals';
import { defineEnvironment, type Message, text } from 'ors-kit';
import { create, request, start } from '../support/client.ts';
import { until } from '../support/until.ts';

const base = {
  name: 'lab',
  splits: { train: [{ question: 'Why?' }] },
  tools: { submit: { description: 'Submit.', run: () => ({ text: '' }) } },
};
const turns: Message[] = [
  { role: 'system', blocks: [text('Be brief.')] },
  { role: 'user', blocks: [text('Hello.')] },
  { role: 'assistant', blocks: [text('Hi.')] },
  { role: 'user', blocks: [text('Go on.')] },
];

async function read(environment: ReturnType<typeof defineEnvironment>) {
  await using server = await start(environment);
  const sid = await create(server, { split: 'train', index: 0 });
  const get = (path: string) => request(server, 'GET', path, { sid });
  return { prompt: await get('/lab/prompt'), messages: await get('/lab/messages'), bare: await get('/messages') };
}

test('returns a prompt as one message of the user', async () => {
  const { prompt, messages, bare } = await read(defineEnvironment({ ...base, prompt: () => 'Why?' }));

  expect(JSON.stringify(messages.body)).toBe(
    '[{"role":"user","blocks":[{"text":"Why?","detail":null,"type":"text"}],"detail":null}]',
  );
  expect(bare.body).toEqual(messages.body);
  expect(prompt.body).toEqual([{ text: 'Why?', detail: null, type: 'text' }]);
});

test.each([
  ['synchronous', () => turns],
  ['asynchronous', async () => turns],
])('returns the messages of a %s author, and all of them as the prompt', async (_kind, messages) => {
  const played = await read(defineEnvironment({ ...base, messages }));

  expect(played.messages.body.map(({ role }: { role: string }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'user',
  ]);
  expect(played.prompt.body.map((block: { text: string }) => block.text)).toEqual(
    ['[system]', 'Be brief.', '[user]', 'Hello.', '[assistant]', 'Hi.'].concat(['[user]', 'Go on.']),
  );
  expect(played.prompt.body[0]).toEqual({ text: '[system]', detail: { role: 'system' }, type: 'text' });
});

test('returns one plain message of the user as the same prompt as the text', async () => {
  const asText = await read(defineEnvironment({ ...base, prompt: ({ task }) => `${task.question}` }));
  const asMessage = await read(
    defineEnvironment({
      ...base,
      messages: ({ task }) => [{ role: 'user', blocks: [text(`${task.question}`)], detail: { a: 1 } }],
    }),
  );

  expect(JSON.stringify(asMessage.prompt.body)).toBe(JSON.stringify(asText.prompt.body));
});

test('keeps prompt and messages apart if the author returns both', async () => {
  const { prompt, messages } = await read(
    defineEnvironment({ ...base, prompt: () => 'Short.', messages: () => turns }),
  );

  expect(prompt.body).toEqual([{ text: 'Short.', detail: null, type: 'text' }]);
  expect(messages.body).toHaveLength(4);
});

test('calls the author once, so that a changed state does not change the messages', async () => {
  let calls = 0;
  const environment = defineEnvironment({
    ...base,
    messages: () => {
      calls++;
      return turns;
    },
  });

  await read(environment);

  expect(calls).toBe(1);
});

test('responds with 500 that names the place of a misplaced block, to both requests', async () => {
  const result = { type: 'tool_result', tool_call_id: 'c', blocks: [] };
  const messages = () => [{ role: 'assistant', blocks: [result] }] as unknown as Message[];

  const played = await read(defineEnvironment({ ...base, messages }));

  const detail =
    'invalid output: messages[0].blocks[0] is a tool_result block, ' +
    'but role assistant allows only text, image, reasoning, tool_call';
  expect(played.messages).toMatchObject({ status: 500, body: { detail } });
  expect(played.prompt).toMatchObject({ status: 500, body: { detail } });
});

test('waits for setup, on which the messages depend', async () => {
  let open = false;
  const environment = defineEnvironment({
    ...base,
    setup: async () => {
      await until(() => open);
      return { word: 'ready' };
    },
    messages: ({ state }) => [{ role: 'user', blocks: [text(state.word)] }],
  });
  await using server = await start(environment);
  const sid = await create(server);

  const reading = request(server, 'GET', '/lab/messages', { sid });
  open = true;

  expect((await reading).body[0].blocks[0].text).toBe('ready');
});

test('rejects requests without a session like those of the prompt', async () => {
  await using server = await start(defineEnvironment({ ...base, messages: () => turns }));
  const sid = await create(server);
  await request(server, 'POST', '/delete', { sid });

  expect(await request(server, 'GET', '/lab/messages')).toMatchObject({ status: 400 });
  expect(await request(server, 'GET', '/lab/messages', { sid: 'other' })).toMatchObject({ status: 404 });
  expect(await request(server, 'GET', '/lab/messages', { sid })).toMatchObject({ status: 410 });
  expect(await request(server, 'POST', '/lab/messages', { sid, body: {} })).toMatchObject({ status: 405 });
});
