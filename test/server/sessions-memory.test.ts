import { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { expect, test } from '@jest/globals';
import { defineEnvironment, defineTool } from 'ors-kit';
import { create, start } from '../support/client.ts';

const environment = defineEnvironment({
  name: 'lab',
  splits: { test: [{}] },
  prompt: () => 'Wait.',
  tools: { wait: defineTool({ description: 'Waits.', run: () => ({ text: 'Waited.' }) }) },
});

test('a session does not keep the request that opened it', async () => {
  await using server = await start(environment);
  const before = responseCount();

  for (let session = 0; session < 20; session += 1) await create(server, { split: 'test', index: 0 });
  await sleep(50);

  expect(server.sessionCount).toBe(20);
  // One or two may belong to connections that are still open.
  expect(responseCount() - before).toBeLessThan(10);
});

/** How many there are once the garbage is collected. */
const responseCount = (): number => queryObjects(ServerResponse, { format: 'count' });
