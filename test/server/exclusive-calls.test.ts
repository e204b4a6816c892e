import { expect, test } from '@jest/globals';
import { defineEnvironment, jsonSchema } from 'ors-kit';
import { type CallAnswer, call, create, start } from '../support/client.ts';
import { until } from '../support/until.ts';

interface Step {
  readonly id: string;
  readonly reward?: number;
  readonly finished?: boolean;
  readonly fails?: boolean;
}

const input = jsonSchema<Step>({
  type: 'object',
  properties: { id: { type: 'string' }, reward: { type: 'number' }, finished: { type: 'boolean' } },
  required: ['id'],
});

/** An environment whose tools record when they start, and end when the test lets them. */
async function stage() {
  const events: string[] = [];
  const isOpen = new Set<string>();
  const tool = {
    description: 'Wait.',
    input,
    run: async ({ input: { id, reward, finished, fails } }: { input: Step }) => {
      events.push(`start ${id}`);
      await until(() => isOpen.has(id));
      events.push(`end ${id}`);
      if (fails) throw new Error(`${id} fails`);
      return { text: id, reward: reward ?? null, finished: finished ?? false };
    },
  };
  const environment = defineEnvironment({
    name: 'lab',
    splits: { train: [{}] },
    prompt: () => '',
    tools: {
      a: tool,
      b: tool,
      submit: tool,
      shell: { ...tool, concurrent: true },
      final: { ...tool, exclusive: true },
      both: { ...tool, concurrent: true, exclusive: true },
    },
  });
  const server = await start(environment);
  const sid = await create(server);
  return {
    events,
    open: (...ids: string[]) => {
      for (const id of ids) isOpen.add(id);
    },
    started: (id: string) => until(() => events.includes(`start ${id}`), `start of ${id}`),
    /** Sends a call, and returns when the server has accepted it. */
    async call(name: string, step: Step | object) {
      let accepted = () => {};
      const isAccepted = new Promise<void>((resolve) => {
        accepted = resolve;
      });
      const answer = call(server, sid, name, step, { onOpen: () => accepted() });
      await isAccepted;
      return { answer: () => answer };
    },
    callInNewSession: async (name: string, step: Step) => call(server, await create(server), name, step),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** Describes an outcome: the reward, the reason of a refusal, or the text of an error. */
const outcomeOf = ({ result, error }: CallAnswer): unknown =>
  error ?? (result.ok ? (result.output.reward ?? 'ok') : (result.reason ?? result.error));

const outcomes = async (...calls: readonly { answer(): Promise<CallAnswer> }[]) =>
  (await Promise.all(calls.map((each) => each.answer()))).map(outcomeOf);

test.each(['a', 'shell'])('voids the result of %s if another call finishes the episode meanwhile', async (late) => {
  await using lab = await stage();
  const running = await lab.call(late, { id: 'late', reward: 0.1 });
  const grade = await lab.call('submit', { id: 'grade', reward: 1, finished: true });

  lab.open('grade');
  const [graded] = await outcomes(grade);
  lab.open('late');

  expect([graded, ...(await outcomes(running))]).toEqual([1, 'episode_finished']);
  expect(lab.events).toContain('end late');
});

test('counts only the first of two calls that finish the episode', async () => {
  await using lab = await stage();
  const slow = await lab.call('a', { id: 'slow', reward: 5, finished: true });
  const fast = await lab.call('b', { id: 'fast', reward: 1, finished: true });

  lab.open('fast');
  await outcomes(fast);
  lab.open('slow');

  expect(await outcomes(fast, slow)).toEqual([1, 'episode_finished']);
});

test('refuses a late call that throws, instead of failing the session', async () => {
  await using lab = await stage();
  const broken = await lab.call('a', { id: 'broken', fails: true });
  const grade = await lab.call('submit', { id: 'grade', reward: 1, finished: true });

  lab.open('grade');
  await outcomes(grade);
  lab.open('broken');

  expect(await outcomes(grade, broken)).toEqual([1, 'episode_finished']);
});

test('runs the body of a tool once that finishes the episode, however many calls wait for it', async () => {
  await using lab = await stage();
  const first = await lab.call('submit', { id: 's', reward: 1, finished: true });
  const others = [await lab.call('submit', { id: 's' }), await lab.call('submit', { id: 's' })];

  lab.open('s');

  expect(await outcomes(first, ...others)).toEqual([1, 'episode_finished', 'episode_finished']);
  expect(lab.events).toEqual(['start s', 'end s']);
});

test('runs an exclusive call after all running calls, and refuses those behind it when it finishes', async () => {
  await using lab = await stage();
  const running = [await lab.call('shell', { id: 'shell' }), await lab.call('a', { id: 'a' })];
  await Promise.all([lab.started('shell'), lab.started('a')]);
  const grade = await lab.call('final', { id: 'grade', reward: 1, finished: true });
  const held = [await lab.call('shell', { id: 'shell2' }), await lab.call('b', { id: 'b' })];

  lab.open('shell');
  await outcomes(running[0] as (typeof running)[0]);
  expect(lab.events).not.toContain('start grade');
  lab.open('a');
  await lab.started('grade');
  lab.open('grade', 'shell2', 'b');

  expect(await outcomes(...running, grade, ...held)).toEqual(['ok', 'ok', 1, 'episode_finished', 'episode_finished']);
  expect(lab.events).not.toContain('start shell2');
  expect(lab.events).not.toContain('start b');
});

test('runs the calls behind an exclusive one that does not finish the episode, at the same time', async () => {
  await using lab = await stage();
  const grade = await lab.call('final', { id: 'grade', reward: 0.5 });
  const held = [await lab.call('shell', { id: 'shell' }), await lab.call('b', { id: 'b' })];
  await lab.started('grade');
  expect(lab.events).toEqual(['start grade']);

  lab.open('grade');
  await Promise.all([lab.started('shell'), lab.started('b')]);
  lab.open('shell', 'b');

  expect(await outcomes(grade, ...held)).toEqual([0.5, 'ok', 'ok']);
});

test('runs an exclusive call before calls that wait for their own tool', async () => {
  await using lab = await stage();
  const calls = [
    await lab.call('a', { id: 'a1' }),
    await lab.call('a', { id: 'a2' }),
    await lab.call('a', { id: 'a3' }),
  ];
  await lab.started('a1');
  const grade = await lab.call('final', { id: 'grade' });

  lab.open('a1', 'a2', 'a3', 'grade');
  await outcomes(...calls, grade);

  const starts = lab.events.filter((event) => event.startsWith('start'));
  expect(starts).toEqual(['start a1', 'start grade', 'start a2', 'start a3']);
});

test('runs exclusive calls one after the other, then the others', async () => {
  await using lab = await stage();
  const graders = [
    await lab.call('final', { id: 'f1' }),
    await lab.call('both', { id: 'f2' }),
    await lab.call('final', { id: 'f3' }),
  ];
  const held = await lab.call('shell', { id: 'shell' });

  lab.open('f1', 'f2', 'f3', 'shell');
  await outcomes(...graders, held);

  expect(lab.events).toEqual(['f1', 'f2', 'f3', 'shell'].flatMap((id) => [`start ${id}`, `end ${id}`]));
});

test('runs the calls behind an exclusive one that throws', async () => {
  await using lab = await stage();
  const grade = await lab.call('final', { id: 'grade', fails: true });
  const held = await lab.call('shell', { id: 'shell' });

  lab.open('grade', 'shell');

  expect(await outcomes(grade, held)).toEqual(['Error: grade fails', 'ok']);
});

test('lets an exclusive call with an invalid input wait too, then refuses it and runs the others', async () => {
  await using lab = await stage();
  const running = await lab.call('shell', { id: 'shell' });
  const invalid = await lab.call('final', {});
  const held = await lab.call('b', { id: 'b' });
  await lab.started('shell');
  expect(lab.events).toEqual(['start shell']);

  lab.open('shell', 'b');

  expect(await outcomes(running, invalid, held)).toEqual(['ok', 'input_validation', 'ok']);
});

test('refuses an unknown tool at once while an exclusive call runs', async () => {
  await using lab = await stage();
  const grade = await lab.call('final', { id: 'grade' });

  expect(await outcomes(await lab.call('nothing', {}))).toEqual(['not_found']);

  lab.open('grade');
  expect(await outcomes(grade)).toEqual(['ok']);
});

test('leaves other sessions alone', async () => {
  await using lab = await stage();
  const grade = await lab.call('final', { id: 'grade', finished: true });
  lab.open('other', 'grade');

  expect(outcomeOf(await lab.callInNewSession('a', { id: 'other', reward: 2 }))).toBe(2);
  expect(await outcomes(grade)).toEqual(['ok']);
});
