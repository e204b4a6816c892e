import { describe, expect, it } from '@jest/globals';
import { createClient, event, inOrder, json, openEpisode, output, startFakeServer, stream } from './fake-server.ts';

const tools = (terminal_tool: unknown, more: object = {}) => json({ tools: [], terminal_tool, ...more });
const graded = stream(event('task_id', 't1'), event('end', output('Right.', { reward: 1, finished: true })));
const refused = (error: string, reason?: string) => stream(event('end', JSON.stringify({ ok: false, error, reason })));

describe('session.terminalTool', () => {
  it.each([
    [
      { name: 'submit', arg: 'answer', description: 'Grades.' },
      { name: 'submit', arg: 'answer', description: 'Grades.' },
    ],
    [{ name: 'finish' }, { name: 'finish', arg: null, description: '' }],
    [
      { name: 'finish', arg: null, later: { version: 2 } },
      { name: 'finish', arg: null, description: '' },
    ],
    [null, null],
    [undefined, null],
  ])('reads %j', async (sent, expected) => {
    await using server = await startFakeServer({ '/maze/task_tools': tools(sent) });
    await using client = createClient(server);
    const session = await openEpisode(client);

    expect(await session.terminalTool()).toEqual(expected);
  });

  it('sends one request per session, and none after the tools were listed', async () => {
    await using server = await startFakeServer({ '/maze/task_tools': tools({ name: 'submit', arg: 'answer' }) });
    await using client = createClient(server);
    const first = await openEpisode(client);
    const second = await openEpisode(client);

    await first.terminalTool();
    await first.terminalTool();
    await first.supportsScoreGroup();
    expect(server.to('/maze/task_tools')).toHaveLength(1);
    await second.tools();
    await second.terminalTool();
    expect(server.to('/maze/task_tools')).toHaveLength(2);
  });

  it('is null on a server that cannot list the tools of an episode and predates terminal tools', async () => {
    await using server = await startFakeServer({
      '/maze/task_tools': json({ detail: 'Not Found' }, 404),
      '/maze/tools': json({ tools: [{ name: 'go', description: '', input_schema: null }] }),
    });
    await using client = createClient(server);
    const session = await openEpisode(client);

    expect(await session.terminalTool()).toBeNull();
    expect(await session.supportsScoreGroup()).toBe(false);
  });

  it('rejects a terminal tool without a name', async () => {
    await using server = await startFakeServer({ '/maze/task_tools': tools({ arg: 'answer' }) });
    await using client = createClient(server);
    const session = await openEpisode(client);

    await expect(session.terminalTool()).rejects.toMatchObject({ name: 'OrsProtocolError' });
  });
});

describe('session.answer', () => {
  it.each([
    ['answer', { answer: 'Lima.' }],
    [null, {}],
  ])('calls the terminal tool with the parameter %j', async (arg, input) => {
    await using server = await startFakeServer({
      '/maze/task_tools': tools({ name: 'submit', arg }),
      '/maze/call': graded,
    });
    await using client = createClient(server);
    const session = await openEpisode(client);

    const result = await session.answer('Lima.');

    expect(result).toMatchObject({ text: 'Right.', reward: 1, finished: true });
    expect(session.finished).toBe(true);
    expect(server.to('/maze/call').map(({ body }) => body)).toEqual([{ name: 'submit', input }]);
  });

  it('submits an empty text', async () => {
    await using server = await startFakeServer({
      '/maze/task_tools': tools({ name: 'submit', arg: 'answer' }),
      '/maze/call': graded,
    });
    await using client = createClient(server);
    const session = await openEpisode(client);

    await session.answer();

    expect(server.to('/maze/call')[0]?.body.input).toEqual({ answer: '' });
  });

  it('rejects without a request if no tool grades answers', async () => {
    await using server = await startFakeServer({ '/maze/task_tools': tools(null) });
    await using client = createClient(server);
    const session = await openEpisode(client);

    await expect(session.answer('Lima.')).rejects.toMatchObject({
      name: 'ToolCallError',
      reason: 'not_found',
      sid: 's1',
    });
    expect(server.to('/maze/call')).toEqual([]);
  });

  it('can be repeated after a refusal', async () => {
    await using server = await startFakeServer({
      '/maze/task_tools': tools({ name: 'submit', arg: 'answer' }),
      '/maze/call': inOrder(refused('Tool input validation error: [...]', 'input_validation'), graded),
    });
    await using client = createClient(server);
    const session = await openEpisode(client);

    await expect(session.answer('The answer is 42')).rejects.toMatchObject({ reason: 'input_validation' });
    expect(await session.answer('42')).toMatchObject({ reward: 1 });
  });
});

describe('ToolCallError.reason', () => {
  it.each([
    ['gone', 'not_found'],
    ['any text', 'name_collision'],
    ['any text', 'input_validation'],
    ["Tool 'x' failed: unknown tool", 'episode_finished'],
  ])('is the reason that the server sends, whatever the text (%j, %s)', async (text, reason) => {
    await using server = await startFakeServer({ '/maze/call': refused(text, reason) });
    await using client = createClient(server);
    const session = await openEpisode(client);

    await expect(session.call('x')).rejects.toMatchObject({ name: 'ToolCallError', detail: text, reason });
  });

  it.each([
    ["Tool name collision: 'x' is defined in both the environment and toolset 'Y'.", 'name_collision'],
    ["Tool input validation error: [{'type': 'missing', 'loc': ('n',)}]", 'input_validation'],
    ["'x' is not a valid tool", 'not_found'],
    ["'x' was not run: the episode has finished (a tool returned finished=True)", 'episode_finished'],
    ["Tool 'x' failed: unknown tool", 'not_found'],
    ["Tool 'x' failed: /city is missing", 'input_validation'],
    ["Tool 'x' failed: the value must be an object", 'input_validation'],
    ["Tool 'x' failed: the episode is finished; no tool runs after that", 'episode_finished'],
    ["Tool 'x' not found", 'not_found'],
    ["Tool 'x' failed: File not found", null],
    ['not today', null],
  ])('is read from the text of a server that sends none: %s', async (text, reason) => {
    await using server = await startFakeServer({
      '/maze/call': inOrder(refused(text), refused(text, 'a_later_reason')),
    });
    await using client = createClient(server);
    const session = await openEpisode(client);

    await expect(session.call('x')).rejects.toMatchObject({ detail: text, reason });
    await expect(session.call('x')).rejects.toMatchObject({ detail: text, reason });
  });

  it('is read from rejections with a status', async () => {
    await using server = await startFakeServer({ '/maze/call': json({ detail: "Tool 'fly' not found" }, 404) });
    await using client = createClient(server);
    const session = await openEpisode(client);

    await expect(session.call('fly')).rejects.toMatchObject({ status: 404, reason: 'not_found' });
  });
});

describe('session.tools', () => {
  it('lists a tool once whose name the server repeats', async () => {
    const tool = (description: string) => ({ name: 'read', description, input_schema: null });
    await using server = await startFakeServer({
      '/maze/task_tools': json({ tools: [tool('first'), tool('second')], message_block_types: null }),
    });
    await using client = createClient(server);
    const session = await openEpisode(client);

    expect(await session.tools()).toEqual([tool('first')]);
    expect(await session.tools({ format: 'openai' })).toHaveLength(1);
  });

  it('returns an empty list in every format', async () => {
    await using server = await startFakeServer({ '/maze/task_tools': tools({ name: 'submit', arg: 'answer' }) });
    await using client = createClient(server);
    const session = await openEpisode(client);

    expect(await session.tools()).toEqual([]);
    expect(await session.tools({ format: 'anthropic' })).toEqual([]);
  });
});
