import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { defineEnvironment, defineTool } from 'ors-kit';
import { create, start } from '../support/client.ts';
import { collectGarbage } from '../support/heap.ts';

const environment = defineEnvironment({
  name: 'lab',
  splits: { test: [{}] },
  prompt: () => 'Wait.',
  tools: { wait: defineTool({ description: 'Waits.', run: () => ({ text: 'Waited.' }) }) },
});

test('frees the request that opened a session', async () => {
  await using server = await start(environment);
  const responses: WeakRef<ServerResponse>[] = [];
  const note = (message: unknown) => {
    responses.push(new WeakRef((message as { response: ServerResponse }).response));
  };
  subscribe('http.server.request.start', note);

  for (let session = 0; session < 20; session += 1) await create(server, { split: 'test', index: 0 });
  unsubscribe('http.server.request.start', note);

  for (let round = 0; round < 5; round++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    collectGarbage();
  }
  expect(server.sessionCount).toBe(20);
  expect(responses).toHaveLength(20);
  // One or two can belong to connections that are still open.
  expect(responses.filter((response) => response.deref() !== undefined).length).toBeLessThan(10);
});
