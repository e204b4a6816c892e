import { expect, test } from '@jest/globals';
import { connectToServer } from '../../src/cli/remote/connect.ts';
import { start } from '../support/client.ts';
import { lab } from '../support/lab.ts';

const never = () => new Promise<never>(() => {});

test('rejects after --timeout although the work ignores its signal', async () => {
  await using server = await start(lab().environment);
  await using connection = await connectToServer(server.url, { timeout: 5 }, new AbortController().signal);
  await using hasty = await connectToServer(server.url, { timeout: 0.3 }, new AbortController().signal);

  expect(await connection.request(async () => 1)).toBe(1);
  await expect(hasty.request(never)).rejects.toThrow('no response within 0.3 s');
});

test('rejects with the reason of an interrupt although the work ignores its signal', async () => {
  const interrupt = new AbortController();
  const reason = new Error('interrupted');
  await using server = await start(lab().environment);
  await using connection = await connectToServer(server.url, { timeout: 60 }, interrupt.signal);

  const asking = connection.request(never);
  interrupt.abort(reason);

  await expect(asking).rejects.toBe(reason);
});
