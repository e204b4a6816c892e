import { expect, test } from '@jest/globals';
import { defineEnvironment, type EnvironmentDefinition, type GroupScore, type ScoreGroupCandidate } from 'ors-kit';
import { call, create, request, start } from '../support/client.ts';
import { readEvents } from '../support/http.ts';
import { until } from '../support/until.ts';

type Candidates = readonly ScoreGroupCandidate[];
type ScoreGroup = NonNullable<EnvironmentDefinition<undefined, undefined, object, object>['scoreGroup']>;

const withScores = (scoreGroup?: ScoreGroup) =>
  defineEnvironment({
    name: 'lab',
    splits: { train: [{ factor: 2 }] },
    prompt: () => 'Write a line.',
    tools: { submit: { description: 'Submit.', run: () => ({ text: '', reward: 1, finished: true }) } },
    ...(scoreGroup && { scoreGroup }),
  });

/** Returns the last text of a candidate as a number. */
const numberIn = ({ messages }: ScoreGroupCandidate): number => {
  const texts = messages.flatMap(({ blocks }) => blocks.flatMap((block) => ('text' in block ? [block.text] : [])));
  return Number(texts.at(-1));
};
const numbers = ({ candidates }: { candidates: Candidates }) => candidates.map(numberIn);

const say = (value: string, metadata?: object) => ({
  messages: [{ role: 'assistant', blocks: [{ type: 'text', text: value }] }],
  ...(metadata && { metadata }),
});

interface Scored {
  readonly status: number;
  readonly events: readonly { readonly event: string; readonly data: string }[];
  readonly json: string;
  // biome-ignore lint/suspicious/noExplicitAny: scores and errors of every shape
  readonly body: any;
}

async function score(server: { url: string }, sid: string, candidates: unknown, more: object = {}): Promise<Scored> {
  const body = { candidates, ...more };
  const response = await request(server, 'POST', '/lab/score_group', { sid, body });
  if (typeof response.body !== 'string') return { ...response, events: [], json: '' };
  const events = readEvents(response.body);
  const data = events.filter(({ event }) => event === 'chunk' || event === 'end').map((each) => each.data);
  return { status: response.status, events, json: data.join(''), body: events.at(-1)?.data };
}

const failure = async (scoreGroup: ScoreGroup, count = 2) => {
  await using server = await start(withScores(scoreGroup));
  const sid = await create(server, { split: 'train', index: 0 });
  const { events } = await score(
    server,
    sid,
    Array.from({ length: count }, () => say('1')),
  );
  const played = await call(server, sid, 'submit');
  return { kinds: events.map(({ event }) => event), text: events.at(-1)?.data, reward: played.result.output.reward };
};

test('returns the scores of the author in order, and leaves the episode open', async () => {
  await using server = await start(withScores(numbers));
  const sid = await create(server);

  const { events, json } = await score(server, sid, [say('0.25'), say('1', { rollout: 'r2' })]);

  expect(events.map(({ event }) => event)).toEqual(['task_id', 'end']);
  expect(json).toBe('{"scores":[{"reward":0.25,"metadata":null},{"reward":1.0,"metadata":null}]}');
  expect((await call(server, sid, 'submit')).result.output.reward).toBe(1);
});

test('passes task, secrets, candidates and their metadata to the author, and returns the metadata of scores', async () => {
  const seen: unknown[] = [];
  const environment = withScores(({ task, secrets, candidates, sessionId, signal }) => {
    seen.push(task, secrets, candidates, typeof sessionId, signal.aborted);
    return candidates.map((_, index): GroupScore => ({ reward: index, metadata: { index } }));
  });
  await using server = await start(environment);
  const sid = await create(server, { split: 'train', index: 0, secrets: { JUDGE_KEY: 'a-judge-key' } });

  const { json } = await score(server, sid, [say('a', { rollout: 'r1' }), say('b')]);

  expect(JSON.parse(json).scores.map(({ metadata }: GroupScore) => metadata)).toEqual([{ index: 0 }, { index: 1 }]);
  expect(seen).toEqual([
    { factor: 2 },
    { JUDGE_KEY: 'a-judge-key' },
    [
      {
        messages: [{ role: 'assistant', blocks: [{ text: 'a', detail: null, type: 'text' }], detail: null }],
        metadata: { rollout: 'r1' },
      },
      expect.objectContaining({ metadata: null }),
    ],
    'string',
    false,
  ]);
});

test('accepts candidates with reasoning, calls and results, and blocks without a type', async () => {
  await using server = await start(withScores(numbers));
  const sid = await create(server);
  const messages = [
    {
      role: 'assistant',
      blocks: [
        { text: 'hm', signature: 's' },
        { id: 'c', name: 'look', input: { big: 1 } },
      ],
    },
    { role: 'user', blocks: [{ tool_call_id: 'c', blocks: [{ text: 'seen' }] }] },
    { role: 'assistant', blocks: [{ text: '0.5' }] },
  ];

  expect((await score(server, sid, [{ messages }])).json).toContain('"reward":0.5');
  expect((await score(server, sid, [])).json).toBe('{"scores":[]}');
});

test('accepts an integer in the input of a call that JavaScript would change', async () => {
  await using server = await start(withScores(() => [1]));
  const sid = await create(server);
  const candidates =
    '[{"messages":[{"role":"assistant","blocks":[{"id":"c","name":"n","input":{"n":12345678901234567890}}]}]}]';

  const { body } = await request(server, 'POST', '/lab/score_group', { sid, body: `{"candidates":${candidates}}` });

  expect(body).toContain('"reward":1.0');
});

test.each([
  ['too few scores', () => [1], 'invalid output: scoreGroup returned 1 scores for 2 candidates; return one for each'],
  ['no list', () => 5, 'invalid output: scoreGroup returned 5; it must return an array of scores'],
  ['NaN', () => [1, Number.NaN], 'invalid output: scores[1].reward is NaN; it must be a finite number'],
  ['a text', () => ['1', 1], 'invalid output: scores[0].reward is a string; it must be a finite number'],
  ['null', () => [{ reward: null }, 1], 'invalid output: scores[0].reward is null; it must be a finite number'],
  ['metadata that is a list', () => [{ reward: 1, metadata: [] }, 1], 'scores[0].metadata is an array'],
])('fails if the author returns %s, and the session continues', async (_what, scoreGroup, text) => {
  const failed = await failure(scoreGroup as unknown as ScoreGroup);

  expect(failed).toEqual({ kinds: ['task_id', 'error'], text: expect.stringContaining(text), reward: 1 });
});

test.each([
  ['throws', () => Promise.reject(new Error('the judge is away'))],
  [
    'throws at once',
    () => {
      throw new Error('the judge is away');
    },
  ],
])('fails with the text if the author %s, and the session continues', async (_how, scoreGroup) => {
  const failed = await failure(scoreGroup);

  expect(failed).toEqual({ kinds: ['task_id', 'error'], text: 'Error: the judge is away', reward: 1 });
});

test('responds with 404 before a stream if the environment cannot compare rollouts', async () => {
  await using server = await start(withScores());
  const sid = await create(server);

  const { status, body } = await score(server, sid, [say('1')]);

  expect([status, body]).toEqual([404, { detail: "environment 'lab' cannot compare rollouts; it has no scoreGroup" }]);
  expect((await request(server, 'GET', '/lab/tools')).body.supports_score_group).toBe(false);
  expect((await call(server, sid, 'submit')).result.ok).toBe(true);
});

test('announces that the environment compares rollouts', async () => {
  await using server = await start(withScores(numbers));
  const sid = await create(server);

  expect((await request(server, 'GET', '/lab/tools')).body.supports_score_group).toBe(true);
  expect((await request(server, 'GET', '/task_tools', { sid })).body.supports_score_group).toBe(true);
});

test.each([
  ['no candidates', undefined, 'body.candidates is required'],
  ['a candidate without messages', [{}], 'body.candidates[0].messages is required'],
  ['an unknown field', [{ messages: [], name: 'a' }], 'name is not a field of this request'],
  ['an unknown role', [{ messages: [{ role: 'tool', blocks: [] }] }], 'body.candidates[0].messages[0].role must be'],
  [
    'a misplaced block',
    [say('1'), { messages: [{ role: 'user', blocks: [{ type: 'reasoning', text: '' }] }] }],
    'body.candidates[1].messages[0].blocks[0] is a reasoning block, but role user allows only',
  ],
])('responds with 400 to %s', async (_what, candidates, problem) => {
  await using server = await start(withScores(numbers));

  const { status, body } = await score(server, await create(server), candidates);

  expect(status).toBe(400);
  expect(body.detail).toContain(problem);
});

test('rejects requests without a session, and of sessions that are gone', async () => {
  await using server = await start(withScores(numbers));
  const sid = await create(server);
  await request(server, 'POST', '/delete', { sid });
  const body = { candidates: [] };

  expect(await request(server, 'POST', '/lab/score_group', { body })).toMatchObject({ status: 400 });
  expect(await score(server, 'other', [])).toMatchObject({ status: 404 });
  expect(await score(server, sid, [])).toMatchObject({ status: 410 });
});

test('scores beside a running call, and after the end of the episode', async () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let isRunning = false;
  const environment = defineEnvironment({
    name: 'lab',
    splits: { train: [{}] },
    prompt: () => '',
    tools: {
      submit: {
        description: 'Submit.',
        exclusive: true,
        run: async () => {
          isRunning = true;
          await opened;
          return { text: '', reward: 1, finished: true };
        },
      },
    },
    scoreGroup: numbers,
  });
  await using server = await start(environment);
  const sid = await create(server);

  const submitted = call(server, sid, 'submit');
  await until(() => isRunning);
  const beside = await score(server, sid, [say('3')]);
  open();
  await submitted;
  const after = await score(server, sid, [say('4')]);

  expect([beside.json, after.json].map((json) => JSON.parse(json).scores[0].reward)).toEqual([3, 4]);
});

test('judges once if the request is repeated with its task_id, in this session only', async () => {
  let judged = 0;
  const environment = withScores(async ({ candidates }) => {
    judged++;
    return numbers({ candidates });
  });
  await using server = await start(environment);
  const [sid, other] = [await create(server), await create(server)];
  const first = await score(server, sid, [say('1')]);
  const task_id = first.events[0]?.data;

  const again = await score(server, sid, [say('1')], { task_id });
  const changed = await score(server, sid, [say('2')], { task_id });
  const asCall = await call(server, sid, 'submit', {}, { taskId: task_id ?? '' }).catch(String);
  await score(server, other, [say('1')], { task_id });

  expect(again.json).toBe(first.json);
  expect(changed.status).toBe(400);
  expect(asCall).toContain('task_id already used for another call');
  expect(judged).toBeLessThanOrEqual(2);
});

test('splits a large result into chunks', async () => {
  await using server = await start(withScores(({ candidates }) => candidates.map((_, index) => index)));

  const { events, json } = await score(
    server,
    await create(server),
    Array.from({ length: 500 }, () => say('x')),
  );

  expect(events.map(({ event }) => event)).toContain('chunk');
  expect(JSON.parse(json).scores).toHaveLength(500);
});

test('aborts the signal when the session is deleted, and when the scoring exceeds the timeout of calls', async () => {
  const reasons: string[] = [];
  const untilAborted: ScoreGroup = ({ signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reasons.push(signal.reason.name);
        reject(signal.reason);
      });
      reasons.push('started');
    });
  await using patient = await start(withScores(untilAborted));
  await using hasty = await start(withScores(untilAborted), { callTimeoutMs: 20 });
  const sid = await create(patient);

  const scoring = score(patient, sid, []);
  await until(() => reasons.includes('started'));
  await request(patient, 'POST', '/delete', { sid });
  const deleted = await scoring;
  const late = await score(hasty, await create(hasty), []);

  expect(deleted.events.at(-1)).toMatchObject({ event: 'error', data: 'session deleted' });
  expect(late.events.at(-1)).toMatchObject({
    event: 'error',
    data: 'scoreGroup was stopped: it ran longer than 20 ms',
  });
  // A worker learns of the abort after the response.
  await until(() => reasons.filter((reason) => reason !== 'started').length === 2);
});
