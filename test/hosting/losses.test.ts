import { expect, test } from '@jest/globals';
import { request } from '../support/client.ts';
import { untilMetric } from '../support/metric.ts';
import { unruly } from './unruly.ts';

/** Warnings that a slow machine can cause. */
const slowMachine = /^the worker of this session (has not responded|responds again)/;

const detail = async (server: { url: string }, sid: string) => {
  const { status, body } = await request(server, 'POST', '/ping', { sid });
  return [status, body.detail];
};

test('logs the error that ends a worker once, without the secrets of its current and recent sessions', async () => {
  await using server = await unruly({ threads: 1 });
  const [one, two, deleted] = [
    await server.open({ key: 'secret-of-one' }),
    await server.open({ key: 'secret-of-two' }),
    await server.open({ key: 'secret-of-the-deleted' }),
  ];
  await request(server, 'POST', '/delete', { sid: deleted });

  await server.release();
  await server.tool(two, 'tell_all');
  await server.inJournal('reap', 4);

  const warnings = server.lines.filter(({ what }) => what === 'worker');
  expect(warnings.map(({ error }) => error?.split('\n')[0])).toEqual([
    `Error: thrown late: ${Array(6).fill('[secret]').join(' ')}`,
  ]);
  expect(JSON.stringify(server.lines)).not.toContain('secret-of');
  expect(await detail(server, one)).toEqual(await detail(server, two));
});

test('redacts an error that ends a worker whose sessions are all deleted', async () => {
  await using server = await unruly({ threads: 1 });
  const sid = await server.open({ key: 'secret-of-the-deleted' });
  await server.tool(sid, 'tell_all');
  await request(server, 'POST', '/delete', { sid });
  await server.release();

  const [warnings] = await server.inLog('thrown late');

  expect(warnings).toMatchObject({ what: 'worker', sid });
  expect(JSON.stringify(server.lines)).not.toContain('secret-of');
});

test('logs the loss of a worker once, and no error for a call that is lost with it', async () => {
  await using server = await unruly({ threads: 1 });
  const [sid, neighbour] = [await server.open(), await server.open()];
  const waiting = server.tool(neighbour, 'wait');
  await server.inJournal(`wait ${neighbour}`);

  await server.tool(sid, 'exit');

  expect((await waiting).error).toBe('session lost: its worker ended');
  await server.inJournal('reap', 4);
  const warnings = server.lines.map(({ msg }) => msg).filter((msg) => !slowMachine.test(msg));
  expect(warnings).toEqual(['lost a worker with 2 sessions: its worker ended']);
});

test('logs once that a worker does not respond, with its running tools, and once that it responds again', async () => {
  await using server = await unruly({ threads: 1 });
  const [busy, neighbour] = [await server.open(), await server.open()];
  const waiting = server.tool(neighbour, 'wait');
  await server.inJournal(`wait ${neighbour}`);

  const blocking = server.tool(busy, 'block');
  await server.inLog('has not responded');
  await server.release();
  await blocking;
  await server.inLog('responds again');

  expect(server.lines.map(({ sid, msg }) => [sid, msg])).toEqual([
    [
      busy,
      expect.stringMatching(
        /^the worker of this session has not responded for \d+ ms; running there: tool 'block', tool 'wait'$/,
      ),
    ],
    [expect.anything(), expect.stringMatching(/^the worker of this session responds again, after \d+ ms$/)],
  ]);
  await request(server, 'POST', '/delete', { sid: neighbour });
  await waiting;
});

test('names only the blocking call, not a waiting one, when a blocked worker is ended', async () => {
  await using server = await unruly({ threads: 1 }, { callTimeoutMs: 200 });
  const [grinds, waits, neighbour] = [await server.open(), await server.open(), await server.open()];

  const grinding = server.tool(grinds, 'grind');
  await server.inJournal(`grind ${grinds}`);
  await server.tool(waits, 'count');

  const reason = "its worker was blocked; running there: tool 'grind'";
  expect((await grinding).error).toBe(`session lost: ${reason}`);
  expect(await detail(server, neighbour)).toEqual([410, `Session lost: ${reason}`]);
});

test('answers 503 with the reason if the worker ends before a session opens', async () => {
  await using server = await unruly({ threads: 1 }, { deleteWaitMs: 200 });
  const sid = await server.open();
  const spinning = server.tool(sid, 'spin');
  await server.inJournal(`spin ${sid}`);
  const opening = request(server, 'POST', '/create', {
    sid: 'opening',
    body: { env_name: 'unruly', split: 'train', index: 0 },
  });
  // The call, the /create request, and the metrics request itself.
  await untilMetric(server, 'ors_http_requests_open', 3);

  await request(server, 'POST', '/delete', { sid });
  await spinning;

  expect(await opening).toMatchObject({
    status: 503,
    body: {
      detail: "the environment did not respond: its worker was blocked; running there: tool 'spin'",
    },
  });
});
