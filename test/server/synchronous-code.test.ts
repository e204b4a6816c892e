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
function quick({ setup, teardown, prompt = () => 'Well?' }: Code = {}) {
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

const made = (server: { url: string }, sid: string, index = 0) =>
  request(server, 'POST', '/create', { sid, body: { split: 'train', index } });
const deleted = (server: { url: string }, sid: string) => request(server, 'POST', '/delete', { sid });

/** Returns true for log lines about session a, except for those about requests and a blocked event loop. */
const ofSessionA = (line: { readonly sid?: unknown; readonly msg?: unknown }): boolean =>
  line.sid === 'a' && line.msg !== 'request' && !isOfTheMachine(line);

test('logs the opening of a session before its setup', async () => {
  const told = logLines('debug');
  await using server = await start(quick({ setup: () => 'state' }), { log: told.log });

  await made(server, 'a');
  await deleted(server, 'a');

  const lines = told.all().filter(ofSessionA);
  expect(lines.map(({ msg }) => msg)).toEqual(['session opened', 'setup', 'session ended', 'teardown']);
});

test('reports a setup that throws synchronously to every request, and tears it down after the session is opened', async () => {
  const told = logLines('debug');
  const undone: string[] = [];
  const setup = ({ onCleanup }: SetupContext<object>) => {
    onCleanup(() => void undone.push('connection'));
    throw new Error('no database');
  };
  await using server = await start(quick({ setup }), { log: told.log });

  const created = await made(server, 'a');
  const asked = await request(server, 'GET', '/quick/prompt', { sid: 'a' });

  expect(created).toMatchObject({ status: 200 });
  expect(asked).toMatchObject({ status: 500, body: { detail: 'Error: no database' } });
  expect(undone).toEqual(['connection']);
  const lines = told.all().filter(ofSessionA);
  expect(lines.map(({ msg }) => msg)).toEqual(['session opened', "an environment's code failed", 'setup', 'teardown']);
  expect(await deleted(server, 'a')).toMatchObject({ status: 200 });
  expect(await made(server, 'a')).toMatchObject({ status: 200 });
});

test('calls a prompt again that threw synchronously', async () => {
  let asked = 0;
  const once = () => {
    asked++;
    if (asked === 1) throw new Error('not yet');
    return 'Well?';
  };
  await using server = await start(quick({ prompt: once }));
  const sid = await create(server);

  const answers = [1, 2, 3].map(() => request(server, 'GET', '/quick/prompt', { sid }));

  expect((await Promise.all(answers)).map(({ status }) => status).sort()).toEqual([200, 200, 500]);
  expect(asked).toBe(2);
});

test('calls a prompt again that rejected', async () => {
  let asked = 0;
  const once = async () => {
    asked++;
    if (asked === 1) throw new Error('not yet');
    return 'Well?';
  };
  await using server = await start(quick({ prompt: once as never }));
  const sid = await create(server);

  const first = await request(server, 'GET', '/quick/prompt', { sid });
  const second = await request(server, 'GET', '/quick/prompt', { sid });

  expect([first.status, second.status]).toEqual([500, 200]);
});

test('frees the slot of each episode, and of each that could not be created', async () => {
  await using server = await start(quick(), { maxSessions: 2, capacityWaitMs: 0 });
  const episode = async () => [
    await made(server, 'a', 1),
    await made(server, 'a'),
    await made(server, 'a'),
    await made(server, 'b'),
    await made(server, 'c'),
    await deleted(server, 'a'),
    await deleted(server, 'b'),
  ];

  const statuses = [...(await episode()), ...(await episode())].map(({ status }) => status);

  const once = [500, 200, 400, 200, 503, 200, 200];
  expect(statuses).toEqual([...once, ...once]);
});

test('runs cleanups that a cleanup or teardown registers, before the session is deleted', async () => {
  const undone: string[] = [];
  const undoing = (what: string, next?: () => void) => async () => {
    undone.push(`${what} begins`);
    next?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
    next?.();
    undone.push(`${what} ends`);
  };
  let onCleanup: SetupContext<object>['onCleanup'] = () => undefined;
  const setup = (context: SetupContext<object>) => {
    onCleanup = context.onCleanup;
    onCleanup(() => onCleanup(undoing('left by the first')));
  };
  const teardown = undoing('teardown', () => onCleanup(undoing('left by the teardown')));
  await using server = await start(quick({ setup, teardown }));

  const sid = await create(server);
  await deleted(server, sid);

  expect(undone).toEqual(
    ['teardown', 'left by the teardown', 'left by the teardown', 'left by the first'].flatMap((what) => [
      `${what} begins`,
      `${what} ends`,
    ]),
  );
});
