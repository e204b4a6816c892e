import { expect, test } from '@jest/globals';
import { createServer, operationHandlers } from 'ors-kit/server';
import { document } from '../../generated/ors-document.ts';
import { operations } from '../../generated/ors-operations.ts';
import { validators } from '../../generated/ors-validators.ts';
import { request, start } from '../support/client.ts';
import { lab } from '../support/lab.ts';

const reset = { operationId: 'resetEpisode', responses: { 200: { description: 'Done.' } } };
const changed = structuredClone(document) as { paths: Record<string, object> };
changed.paths['/{env_name}/reset'] = {
  parameters: [{ $ref: '#/components/parameters/EnvironmentName' }, { $ref: '#/components/parameters/SessionId' }],
  post: reset,
};

test('runs custom operations, validated against a custom document', async () => {
  const spec = {
    document: changed,
    operations: { ...operations, resetEpisode: { method: 'post', path: '/{env_name}/reset' } },
    handlers: {
      ...operationHandlers,
      resetEpisode: ({ path }: { path: { env_name: string } }) => ({ reset: path.env_name }),
    },
  };
  await using server = await start(lab().environment, { spec, validateResponses: false });

  expect(await request(server, 'POST', '/lab/reset', { sid: 's' })).toMatchObject({
    status: 200,
    body: { reset: 'lab' },
  });
  expect(await request(server, 'POST', '/reset', { sid: 's' })).toMatchObject({ status: 200, body: { reset: 'lab' } });
  expect(await request(server, 'POST', '/lab/reset')).toMatchObject({
    status: 400,
    body: { detail: 'X-Session-ID header is required' },
  });
});

test('replaces a single handler', async () => {
  const spec = { document, operations, handlers: { ...operationHandlers, listEnvironments: () => ['broken'] } };
  await using server = await start(lab().environment, { spec });

  expect((await request(server, 'GET', '/list_environments')).body).toEqual(['broken']);
});

test('answers 500 without details if a handler fails', async () => {
  const listEnvironments = () => {
    throw new Error('inner details');
  };
  await using server = await start(lab().environment, {
    spec: { document, operations, handlers: { ...operationHandlers, listEnvironments } },
  });

  expect(await request(server, 'GET', '/list_environments')).toMatchObject({
    status: 500,
    body: { detail: 'internal error; the log of the server says more' },
  });
});

test('reports an invalid response with validateResponses', async () => {
  const spec = { document, operations, handlers: { ...operationHandlers, listSplits: () => [{ name: 5 }] } };
  await using server = await start(lab().environment, { spec, validateResponses: true });

  expect((await request(server, 'GET', '/lab/splits')).status).toBe(500);
});

test('closes a server that never listened', async () => {
  const server = createServer([lab().environment]);

  await server.close();
  await server.close();

  expect(server.sessionCount).toBe(0);
});

test.each([[true], [false]])(
  'answers 500 to a stream that fails before its first event (fast path: %p)',
  async (direct) => {
    // biome-ignore lint/correctness/useYield: it fails before it could
    async function* callTool(): AsyncGenerator<{ event: string; data: string }> {
      throw new Error('inner details');
    }
    const spec = { document, operations, handlers: { ...operationHandlers, callTool }, validators };
    await using server = await start(lab().environment, { spec, fastPath: direct, validateResponses: false });

    const response = await request(server, 'POST', '/lab/call', { sid: 's', body: { name: 'a', input: {} } });

    expect(response).toMatchObject({
      status: 500,
      body: { detail: 'internal error; the log of the server says more' },
    });
  },
);
