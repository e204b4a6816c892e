import { describe, expect, it } from '@jest/globals';
import type { GroupCandidate } from 'ors-kit/client';
import { createClient, event, inOrder, json, openEpisode, output, startFakeServer, stream } from './fake-server.ts';

const ALL_TYPES = ['text', 'image', 'reasoning', 'tool_call', 'tool_result'];
const say = (text: string): GroupCandidate => [{ role: 'assistant', blocks: [{ type: 'text', text }] }];
const rich: GroupCandidate = [
  {
    role: 'assistant',
    blocks: [
      { type: 'reasoning', text: 'look first' },
      { type: 'tool_call', id: 'c1', name: 'look', input: {} },
    ],
  },
  { role: 'user', blocks: [{ type: 'tool_result', tool_call_id: 'c1', blocks: [{ type: 'text', text: 'a leaf' }] }] },
  { role: 'assistant', blocks: [{ type: 'text', text: 'Leaves fall.' }] },
];
const scored = (...rewards: unknown[]) =>
  event('end', JSON.stringify({ scores: rewards.map((reward) => ({ reward, metadata: null })) }));
const on = stream(event('end', output('on')));

describe('session.scoreGroup', () => {
  it('returns one reward per candidate in their order', async () => {
    await using server = await startFakeServer({
      '/maze/score_group': stream(
        event('task_id', 't1'),
        event('end', '{"scores":[{"reward":0.25},{"reward":0.75,"metadata":{"wins":1}}]}'),
      ),
    });
    await using client = createClient(server);
    const session = await openEpisode(client);

    const scores = await session.scoreGroup([say('0.25'), { messages: [], metadata: { rollout: 'r2' } }]);

    expect(scores).toEqual([
      { reward: 0.25, metadata: null },
      { reward: 0.75, metadata: { wins: 1 } },
    ]);
    expect(server.to('/maze/score_group')[0]).toMatchObject({
      headers: { 'x-session-id': 's1' },
      body: {
        candidates: [
          { messages: say('0.25'), metadata: null },
          { messages: [], metadata: { rollout: 'r2' } },
        ],
      },
    });
  });

  it.each([
    ['an error event', stream(event('error', 'the judge is out')), 'the judge is out'],
    ['too few scores', stream(scored(1)), '1 scores for 2 candidates'],
    ['a score of null', stream(scored(1, null)), 'scores[1]'],
    ['an infinite score', stream(event('end', '{"scores":[{"reward":1e999},{"reward":0}]}')), 'scores[0]'],
    ['no scores', stream(event('end', '{}')), 'no list of scores'],
  ])('rejects with ScoreGroupError for %s, and keeps the session', async (_what, response, text) => {
    await using server = await startFakeServer({ '/maze/score_group': response, '/maze/call': on });
    await using client = createClient(server);
    const session = await openEpisode(client);

    await expect(session.scoreGroup([say('a'), say('b')])).rejects.toMatchObject({
      name: 'ScoreGroupError',
      detail: expect.stringContaining(text),
      sid: 's1',
    });
    expect((await session.call('go')).text).toBe('on');
  });

  it('rejects with ScoreGroupUnsupportedError if the server does not have it, and keeps the session', async () => {
    await using server = await startFakeServer({
      '/maze/task_tools': json({ tools: [], supports_score_group: true }),
      '/maze/call': on,
    });
    await using client = createClient(server);
    const session = await openEpisode(client);

    expect(await session.supportsScoreGroup()).toBe(true);
    await expect(session.scoreGroup([say('a')])).rejects.toMatchObject({
      name: 'ScoreGroupUnsupportedError',
      status: 404,
    });
    expect((await session.call('go')).text).toBe('on');
  });

  it.each([
    ['a status', json({ detail: 'Session not found' }, 404)],
    ['an error event', stream(event('task_id', 't1'), event('error', 'session is over'))],
  ])('rejects with SessionLostError if the session is gone, reported by %s', async (_way, response) => {
    const gone = json({ detail: 'Session not found' }, 404);
    await using server = await startFakeServer({ '/maze/score_group': response, '/ping': gone });
    await using client = createClient(server);
    const session = await openEpisode(client);

    await expect(session.scoreGroup([say('a')])).rejects.toMatchObject({ name: 'SessionLostError' });
  });

  it.each([
    [undefined, /reasoning, tool_call and tool_result/],
    [['text', 'image', 'tool_call', 'tool_result'], /reasoning/],
  ])('sends no blocks that the server does not announce (%j)', async (message_block_types, names) => {
    await using server = await startFakeServer({
      '/maze/task_tools': json({ tools: [], supports_score_group: true, message_block_types }),
      '/maze/score_group': stream(scored(1)),
    });
    await using client = createClient(server);
    const session = await openEpisode(client);

    await expect(session.scoreGroup([rich])).rejects.toMatchObject({
      name: 'ScoreGroupUnsupportedError',
      message: expect.stringMatching(names),
    });
    expect(server.to('/maze/score_group')).toEqual([]);
    expect(await session.scoreGroup([say('plain')])).toHaveLength(1);
  });

  it('sends all blocks that the server announces', async () => {
    await using server = await startFakeServer({
      '/maze/task_tools': json({ tools: [], supports_score_group: true, message_block_types: ALL_TYPES }),
      '/maze/score_group': stream(scored(1)),
    });
    await using client = createClient(server);
    const session = await openEpisode(client);

    await session.scoreGroup([rich]);

    expect(server.to('/maze/score_group')[0]?.body.candidates[0].messages).toEqual(rich);
  });

  it('resumes a scoring whose connection broke', async () => {
    await using server = await startFakeServer({
      '/maze/score_group': inOrder(stream(event('task_id', 't1')), stream(event('task_id', 't1'), scored(0.5))),
    });
    await using client = createClient(server);
    const session = await openEpisode(client);

    expect(await session.scoreGroup([say('a')])).toEqual([{ reward: 0.5, metadata: null }]);
    expect(server.to('/maze/score_group').map(({ body }) => body.task_id)).toEqual([undefined, 't1']);
  });

  it.each([
    [{}],
    [[{}]],
    [[[{ role: 'assistant' }]]],
    [[[{ role: 'user', blocks: [{ type: 'text', text: Number.NaN }] }]]],
  ])('rejects candidates that are not messages before anything is sent: %j', async (candidates) => {
    await using server = await startFakeServer();
    await using client = createClient(server);
    const session = await openEpisode(client);

    await expect(session.scoreGroup(candidates as never)).rejects.toBeInstanceOf(TypeError);
    expect(server.to('/maze/score_group')).toEqual([]);
  });
});
