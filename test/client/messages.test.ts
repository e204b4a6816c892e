import { describe, expect, it } from '@jest/globals';
import { createClient, inOrder, json, openEpisode, startFakeServer } from './fake-server.ts';

const say = (role: string, text: string) => ({ role, blocks: [{ type: 'text', text, detail: null }], detail: null });

describe('session.messages', () => {
  it('returns the conversation with its roles', async () => {
    const conversation = [say('system', 'Be brief.'), say('user', 'Where?'), say('assistant', 'Here.')];
    await using server = await startFakeServer({ '/maze/messages': json(conversation) });
    await using client = createClient(server);
    const session = await openEpisode(client);

    expect(await session.messages()).toEqual(conversation);
    expect(await session.messages({ format: 'openai' })).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Where?' },
      { role: 'assistant', content: 'Here.' },
    ]);
  });

  it('returns the prompt of a server without conversations, and remembers that it has none', async () => {
    await using server = await startFakeServer();
    await using client = createClient(server);
    const session = await openEpisode(client);

    const messages = await session.messages();
    const formatted = await session.messages({ format: 'openai' });

    expect(messages).toMatchObject([{ role: 'user', blocks: [{ type: 'text', text: 'Go.' }] }]);
    expect(formatted).toEqual([{ role: 'user', content: 'Go.' }]);
    expect(server.to('/maze/messages')).toHaveLength(1);
    expect(server.to('/maze/prompt')).toHaveLength(2);
  });

  it('rejects with SessionLostError, and reads no prompt, if the session is gone', async () => {
    await using server = await startFakeServer({
      '/maze/messages': json({ detail: 'Session not found' }, 404),
      '/ping': json({ detail: 'Session not found' }, 404),
    });
    await using client = createClient(server);
    const session = await openEpisode(client);

    await expect(session.messages()).rejects.toMatchObject({ name: 'SessionLostError' });
    expect(server.to('/maze/prompt')).toEqual([]);
  });

  it('rejects if the environment failed', async () => {
    await using server = await startFakeServer({ '/maze/messages': json({ detail: 'ValidationError: blocks' }, 500) });
    await using client = createClient(server);
    const session = await openEpisode(client);

    await expect(session.messages()).rejects.toMatchObject({ status: 500, detail: 'ValidationError: blocks' });
  });

  it('skips blocks of unknown types, and adds absent fields', async () => {
    const video = { type: 'video', data: 'AAAA' };
    await using server = await startFakeServer({
      '/maze/messages': json([
        {
          role: 'user',
          blocks: [
            video,
            { type: 'tool_result', tool_call_id: 'c1', blocks: [video, { type: 'text', text: 'done' }], later: 1 },
          ],
        },
        { role: 'developer', blocks: null },
      ]),
    });
    await using client = createClient(server);
    const session = await openEpisode(client);

    expect(await session.messages()).toEqual([
      {
        role: 'user',
        blocks: [
          {
            type: 'tool_result',
            tool_call_id: 'c1',
            blocks: [{ type: 'text', text: 'done' }],
            is_error: false,
            later: 1,
          },
        ],
        detail: null,
      },
      { role: 'developer', blocks: [], detail: null },
    ]);
  });

  it.each([
    [{ role: 'user' }, 'messages'],
    [[{ blocks: [] }], 'messages[0]'],
    [[{ role: 'user', blocks: [{ type: 'text' }] }], 'messages[0].blocks[0].text'],
    [[{ role: 'assistant', blocks: [{ type: 'tool_call', id: 'a', name: 'go' }] }], 'messages[0].blocks[0].input'],
  ])('rejects %j', async (sent, path) => {
    await using server = await startFakeServer({ '/maze/messages': json(sent) });
    await using client = createClient(server);
    const session = await openEpisode(client);

    await expect(session.messages()).rejects.toMatchObject({
      name: 'OrsProtocolError',
      message: expect.stringContaining(path),
    });
  });
});

describe('environment.requiredSecrets', () => {
  it.each([
    [json({ secrets: ['OPENAI_API_KEY'] }), ['OPENAI_API_KEY']],
    [json({ secrets: [] }), []],
    [json({ detail: 'Not Found' }, 404), []],
  ])('lists the names, and none for a server that does not announce them (%#)', async (response, expected) => {
    await using server = await startFakeServer({ '/v1/environments/-/maze/required-secrets': response });
    await using client = createClient(server);

    expect(await client.environment('maze').requiredSecrets()).toEqual(expected);
  });
});

describe('the option toolset', () => {
  it('is sent with the episode, and a refusal names the toolsets', async () => {
    const detail = "unknown toolset 'shell'; the toolsets are: files, web";
    await using server = await startFakeServer({ '/create': inOrder(json({}), json({ detail }, 400)) });
    await using client = createClient(server);
    const open = (toolset: string) => client.environment('maze').session({ split: 'train', index: 0 }, { toolset });

    await open('files');
    await expect(open('shell')).rejects.toMatchObject({ status: 400, detail });
    expect(server.to('/create').map(({ body }) => body.toolset_name)).toEqual(['files', 'shell']);
  });
});
