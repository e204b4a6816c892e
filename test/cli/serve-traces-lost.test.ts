import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from '@jest/globals';
import { request } from '../support/client.ts';
import { ORS, startCommand } from '../support/command.ts';
import { testUnless } from '../support/optional.ts';
import { sqliteMissing } from '../trace/store/stores.ts';
import { folder, QUIZ } from './serving.ts';

testUnless(sqliteMissing)('a server whose trace file is removed logs it once, at once, and is not ready', async () => {
  await using at = await folder({ 'environment.ts': QUIZ });
  const traces = at.path('traces.db');
  await using command = startCommand([...ORS, 'serve', at.path('environment.ts'), '--port', '0', '--traces', traces]);
  const [, url = ''] = await command.says(/ors serves quiz on (\S+)/);
  const play = async (sid: string) => {
    await request({ url }, 'POST', '/create', { sid, body: { env_name: 'quiz', split: 'train', index: 0 } });
    return (await request({ url }, 'POST', '/quiz/call', { sid, body: { name: 'submit', input: {} } })).status;
  };
  const before = await request({ url }, 'GET', '/ready');

  for (const name of await readdir(dirname(traces)))
    if (name.startsWith('traces.db')) await rm(join(dirname(traces), name));
  const statuses = [await play('a'), await play('b')];
  await command.says(/traces: the store is unavailable, traces wait in memory: .*/);
  const after = await request({ url }, 'GET', '/ready');
  await play('c');

  expect([before.status, ...statuses]).toEqual([200, 200, 200]);
  expect([after.status, after.body.detail]).toEqual([503, expect.stringMatching(/^episodes cannot be recorded: .+/)]);
  expect(command.said().match(/the store is unavailable/g)).toHaveLength(1);
});
