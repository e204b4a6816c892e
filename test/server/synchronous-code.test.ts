import { expect, test } from '@jest/globals';
import { defineEnvironment, type SetupContext } from 'ors-kit';
import { isOfTheMachine, logLines } from '../observe/log-lines.ts';
import { create, request, start } from '../support/client.ts';

interface Code {
  readonly setup?: (context: SetupContext<object>) => unknown;
  readonly teardown?: () => void | Promise<void>;
  readonly prompt?: () => string;
}

/** Creates an environment whose code is synchronous, except for the given functions. Creating task 1 fails. */
function synchronousEnvironment({ setup, teardown, prompt = () => 'Well?' }: Code = {}) {
  const get = (index: number) => {
    if (index === 1) throw new Error('no such file');
    return { index };
  };
  return defineEnvironment({
    name: 'quick',
    splits: { train: { count: 2, get } },
    prompt,
    ...(setup && { setup }),
    ...(teardown && { teardown }),
    tools: { submit: { description: 'Submit.', run: () => ({ text: 'Over.', finished: true }) } },
  });
}

const createEpisode = (server: { url: string }, sid: string, index = 0) =>
  request(server, 'POST', '/create', { sid, body: { split: 'train', index } });
const deleteEpisode = (server: { url: string }, sid: string) => request(server, 'POST', '/delete', { sid });

/** Returns true for log lines about session a, except for those about requests and a blocked event loop. */
const ofSessionA = (line: { readonly sid?: unknown; readonly msg?: unknown }): boolean =>
  line.sid === 'a' && line.msg !== 'request' && !isOfTheMachine(line);

test('logs the opening of a session before its setup', async () => {
  const logs = logLines('debug');
  await using server = await start(synchronousEnvironment({ setup: () => 'state' }), { log: logs.log });

  await createEpisode(server, 'a');
  await deleteEpisode(server, 'a');

  const lines = logs.all().filter(ofSessionA);
  expect(lines.map(({ msg }) => msg)).toEqual(['session opened', 'setup', 'session ended', 'teardown']);
});

test('reports a setup that throws synchronously to every request, and tears it down after the session is opened', async () => {
  const logs = logLines('debug');
  const cleanedUp: string[] = [];
  const setup = ({ onCleanup }: SetupContext<object>) => {
    onCleanup(() => void cleanedUp.push('connection'));
    throw new Error('no database');
  };
  await using server = await start(synchronousEnvironment({ setup }), { log: logs.log });

  const created = await createEpisode(server, 'a');
  const calls = await request(server, 'GET', '/quick/prompt', { sid: 'a' });

  expect(created).toMatchObject({ status: 200 });
  expect(calls).toMatchObject({ status: 500, body: { detail: 'Error: no database' } });
  expect(cleanedUp).toEqual(['connection']);
  const lines = logs.all().filter(ofSessionA);
  expect(lines.map(({ msg }) => msg)).toEqual(['session opened', "an environment's code failed", 'setup', 'teardown']);
  expect(await deleteEpisode(server, 'a')).toMatchObject({ status: 200 });
  expect(await createEpisode(server, 'a')).toMatchObject({ status: 200 });
});

test('calls a prompt again that threw synchronously', async () => {
  let calls = 0;
  const once = () => {
    calls++;
    if (calls === 1) throw new Error('not yet');
    return 'Well?';
  };
  await using server = await start(synchronousEnvironment({ prompt: once }));
  const sid = await create(server);

  const responses = [1, 2, 3].map(() => request(server, 'GET', '/quick/prompt', { sid }));

  expect((await Promise.all(responses)).map(({ status }) => status).sort()).toEqual([200, 200, 500]);
  expect(calls).toBe(2);
});

test('calls a prompt again that rejected', async () => {
  let calls = 0;
  const once = async () => {
    calls++;
    if (calls === 1) throw new Error('not yet');
    return 'Well?';
  };
  await using server = await start(synchronousEnvironment({ prompt: once as never }));
  const sid = await create(server);

  const first = await request(server, 'GET', '/quick/prompt', { sid });
  const second = await request(server, 'GET', '/quick/prompt', { sid });

  expect([first.status, second.status]).toEqual([500, 200]);
});

test('frees the slot of each episode, and of each that could not be created', async () => {
  await using server = await start(synchronousEnvironment(), { maxSessions: 2, capacityWaitMs: 0 });
  const episode = async () => [
    await createEpisode(server, 'a', 1),
    await createEpisode(server, 'a'),
    await createEpisode(server, 'a'),
    await createEpisode(server, 'b'),
    await createEpisode(server, 'c'),
    await deleteEpisode(server, 'a'),
    await deleteEpisode(server, 'b'),
  ];

  const statuses = [...(await episode()), ...(await episode())].map(({ status }) => status);

  const once = [500, 200, 400, 200, 503, 200, 200];
  expect(statuses).toEqual([...once, ...once]);
});

test('runs cleanups that a cleanup or teardown registers, before the session is deleted', async () => {
  const cleanedUp: string[] = [];
  const cleanup = (what: string, next?: () => void) => async () => {
    cleanedUp.push(`${what} begins`);
    next?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
    next?.();
    cleanedUp.push(`${what} ends`);
  };
  let onCleanup: SetupContext<object>['onCleanup'] = () => undefined;
  const setup = (context: SetupContext<object>) => {
    onCleanup = context.onCleanup;
    onCleanup(() => onCleanup(cleanup('left by the first')));
  };
  const teardown = cleanup('teardown', () => onCleanup(cleanup('left by the teardown')));
  await using server = await start(synchronousEnvironment({ setup, teardown }));

  const sid = await create(server);
  await deleteEpisode(server, sid);

  expect(cleanedUp).toEqual(
    ['teardown', 'left by the teardown', 'left by the teardown', 'left by the first'].flatMap((what) => [
      `${what} begins`,
      `${what} ends`,
    ]),
  );
});
