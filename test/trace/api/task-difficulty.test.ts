import { afterEach, expect, test } from '@jest/globals';
import { closeServers, errorSummary, startServer } from './server.ts';

afterEach(closeServers);

interface RolloutParts {
  readonly rewards?: readonly number[];
  readonly says?: readonly (readonly [type: string, content: string | null, parts?: object])[];
  readonly start?: object;
  readonly info?: object;
}

/** Logs rollouts of the environment `acme/maze` as the OpenReward client does, and returns a reader of the difficulty. */
async function loggedRollouts(...rollouts: readonly RolloutParts[]) {
  const server = await startServer();
  for (const [place, { rewards = [], says = [], start = {}, info = { task_index: 0 } }] of rollouts.entries()) {
    const id = `r${place}`;
    const messages = [...says, ...rewards.map((reward) => ['user_message', 'x', { reward }] as const)];
    const events = [
      { eventType: 'rollout', eventId: id, runName: 'exp', environment: 'acme/maze', ...start },
      { eventType: 'rollout_update', eventId: id, rollout_info: info },
      ...messages.map(([type, content, parts = {}], index) => ({
        ...{ eventType: 'message', eventId: `${id}m${index}`, rolloutEventId: id, index, type, content },
        ...parts,
      })),
    ];
    expect((await server.post('/v1/rollouts', { events })).json).toEqual({ accepted: events.length });
  }
  const read = async (query = '') => server.get(`/v1/environments/acme/maze/task-difficulty${query}`);
  return { ...server, read };
}

const same = (chars: number) => ({
  ...{ mean: chars, p1: chars, p10: chars, p25: chars, p50: chars, p75: chars, p90: chars, p99: chars },
});

test('returns rewards and response lengths per task', async () => {
  const { read } = await loggedRollouts(
    {
      rewards: [0.25, 0.25],
      says: [
        ['user_message', 'not counted'],
        ['reasoning', 'hmm'],
        ['reasoning', null, { contentReference: 'openai:reasoning:1' }],
        ['assistant_message', 'é😀'],
        ['tool_call', '{"a":1}', { name: 'look', callId: 'c' }],
        ['tool_result', 'not counted', { callId: 'c' }],
      ],
    },
    { rewards: [1], says: [['assistant_message', 'x'.repeat(20)]] },
    { rewards: [], says: [['assistant_message', 'without a reward']] },
    { rewards: [1], info: {} },
    { rewards: [1], start: { environment: 'acme/other' } },
    { rewards: [-2], start: { environment: 'maze' }, info: { task_index: 2 } },
  );

  const { status, json } = await read();

  const response_chars = { mean: 16, p1: 12.08, p10: 12.8, p25: 14, p50: 16, p75: 18, p90: 19.2, p99: 19.92 };
  expect(status).toBe(200);
  expect(json.tasks).toEqual([
    {
      ...{ split: null, variant: null, task_index: 0, avg_reward: 0.75, min_reward: 0.5, max_reward: 1 },
      num_rollouts: 2,
      response_chars: Object.fromEntries(
        Object.entries(response_chars).map(([name, value]) => [name, expect.closeTo(value, 9)]),
      ),
    },
    {
      ...{ split: null, variant: null, task_index: 2, avg_reward: -2, min_reward: -2, max_reward: -2 },
      num_rollouts: 1,
      response_chars: same(0),
    },
  ]);
});

test('groups by split and variant, null first, then by task', async () => {
  const rollout = (split: string | null, variant: string | null, task_index: number) => ({
    rewards: [1],
    start: { split, variant },
    info: { task_index },
  });
  const { read } = await loggedRollouts(
    rollout('train', 'v1', 0),
    rollout('train', null, 10),
    rollout('train', null, 2),
    rollout(null, null, 5),
    rollout('test', null, 1),
  );

  const places = async (query: string) =>
    (await read(query)).json.tasks.map((task: Record<string, unknown>) => [task.split, task.variant, task.task_index]);

  expect(await places('')).toEqual([
    [null, null, 5],
    ['test', null, 1],
    ['train', null, 2],
    ['train', null, 10],
    ['train', 'v1', 0],
  ]);
  expect(await places('?split=train')).toEqual([
    ['train', null, 2],
    ['train', null, 10],
    ['train', 'v1', 0],
  ]);
  expect(await places('?variant=v1')).toEqual([['train', 'v1', 0]]);
});

test.each([
  ['?model_name=small', 1],
  ['?model_name=none', 0],
  ['?min_model_params=8000000000', 1],
  ['?max_model_params=7000000000', 1],
  ['?min_model_params=1&max_model_params=9000000000', 2],
  ['?training_stage=rl', 1],
  ['?training_stage=sft', 0],
  ['', 3],
])('selects rollouts by %j', async (query, count) => {
  const { read } = await loggedRollouts(
    { rewards: [0], start: { run_info: { model_name: 'small', model_params: 7e9 } } },
    { rewards: [1], start: { run_info: { model_name: 'large', model_params: 8e9, training_stage: 'rl' } } },
    { rewards: [1] },
  );

  const { tasks } = (await read(query)).json;

  expect(tasks.map(({ num_rollouts }: { num_rollouts: number }) => num_rollouts)).toEqual(count === 0 ? [] : [count]);
});

test('leaves out traces that continue another one, and so do the runs of the client', async () => {
  const { read, get, post, store } = await loggedRollouts({ rewards: [1] });
  const input = { run: 'exp', environment: 'acme/maze', task_index: 0, parent_trace_id: 'tr_r0', parent_calls: 0 };
  await store.createTrace('default', { id: 'tr_b', ...input });
  await post('traces/tr_b/blocks', {
    blocks: [{ sub_type: 'MESSAGE', payload: { role: 'user', content: 'x' }, extra: { reward: 0 } }],
  });

  const { tasks } = (await read()).json;
  const { rollouts, total } = (await get('/v1/runs/exp/rollouts')).json;

  expect(tasks).toMatchObject([{ num_rollouts: 1, avg_reward: 1 }]);
  expect([rollouts.map(({ id }: { id: string }) => id), total]).toEqual([['r0'], 1]);
});

test('counts a long message that is stored as a blob, and blocks that are added later', async () => {
  const long = '€'.repeat(100_000);
  const { read, post } = await loggedRollouts({ rewards: [1], says: [['assistant_message', long]] });
  const mean = async () => (await read()).json.tasks[0].response_chars.mean;

  expect(await mean()).toBe(100_000);
  const more = {
    eventType: 'message',
    eventId: 'more',
    rolloutEventId: 'r0',
    index: 2,
    type: 'reasoning',
    content: 'abc',
  };
  await post('/v1/rollouts', { events: [more] });
  expect(await mean()).toBe(100_003);
});

test('answers 422 for filters that are not valid, and with no tasks for an unknown environment', async () => {
  const { read, get } = await loggedRollouts();

  expect(errorSummary(await read('?training_stage=other'))).toMatch(/^422 /);
  expect(errorSummary(await read('?min_model_params=many'))).toMatch(/^422 /);
  expect((await get('/v1/environments/acme/none/task-difficulty')).json).toEqual({ tasks: [] });
});

test.each(['acme/maze', '/maze', 'a%2Fb/maze'])(
  'names no secrets that the environment %s needs',
  async (environment) => {
    const { get } = await startServer();

    const { status, json } = await get(`/v1/environments/${environment}/required-secrets`);

    expect([status, json]).toEqual([200, { secrets: [] }]);
  },
);
