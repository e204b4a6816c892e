import { expect, test } from '@jest/globals';
import { request } from '../support/client.ts';
import { unruly } from './unruly.ts';

test('cleans up all other sessions if one clean-up harms its worker', async () => {
  await using server = await unruly({ threads: 1 });
  const good = [await server.open(), await server.open()];
  const exits = await server.open({ reap: 'exit' });
  const spins = await server.open({ reap: 'spin' });
  const throws = await server.open({ reap: 'throw' });

  await server.tool(good[0] as string, 'exit');
  const failures = await server.inLog('"what":"reap"', 5);
  const done = await server.inJournal('reap ', 5);

  expect(done.map((line) => line.replace(/ in thread.*/, '')).sort()).toEqual(
    [...good.flatMap((sid) => [`reap first of ${sid}`, `reap second of ${sid}`]), `reap first of ${spins}`].sort(),
  );
  expect(failures.map(({ sid }) => sid).sort()).toEqual([exits, exits, spins, throws, throws].sort());
  const errorsOf = (sid: string) =>
    failures.filter((line) => line.sid === sid).map(({ error }) => error?.split('\n')[0]);
  expect(errorsOf(throws)).toEqual(['Error: no second', 'Error: no first']);
  expect(errorsOf(exits)[0]).toMatch(
    /^Error: the resources of handle \{"name":"second",.* may be left: its worker ended$/,
  );
  expect(errorsOf(spins)[0]).toContain('its worker was blocked; running there: reap');
});

test('delays neither other sessions nor the close of the server if a clean-up never ends', async () => {
  await using server = await unruly({ threads: 1 }, { deleteWaitMs: 500 });
  const good = await server.open();
  const hangs = await server.open({ reap: 'hang' });

  await server.tool(good, 'exit');
  expect(await request(server, 'POST', '/delete', { sid: good })).toMatchObject({ status: 200 });
  expect(await server.inJournal(`of ${good}`, 2)).toHaveLength(2);
  await server.close();

  const failures = server.lines.filter(({ what }) => what === 'reap');
  expect(failures.map(({ sid }) => sid)).toEqual([hangs, hangs]);
  for (const { error } of failures) expect(error).toContain('have been closed');
});
