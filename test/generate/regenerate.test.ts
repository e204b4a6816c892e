import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { orsGenerate, typeErrors, workshop } from './workshop.ts';

const spec = new URL('../../spec/ors.openapi.yaml', import.meta.url);

const RESET = `  /{env_name}/reset:
    post:
      operationId: resetEpisode
      tags: [sessions]
      summary: Begin the episode anew
      parameters:
        - $ref: '#/components/parameters/EnvironmentName'
        - $ref: '#/components/parameters/SessionId'
      responses:
        '200': { $ref: '#/components/responses/SessionId' }
`;

const KNOWN = `
import type { operations as Known } from '../../generated/ors.ts';
import type { Handlers } from '../../src/http/index.ts';
import type { operations } from './ors.ts';
declare const known: Handlers<Known, unknown>;
`;

const CLIENT = `
import { createOrsClient } from './ors-client.ts';
const client = createOrsClient({ baseUrl: 'http://localhost' });
const params = { path: { env_name: 'lab' }, header: { 'X-Session-ID': 'abc' } };
`;

const consumers = {
  'forgets the new operation in its handlers': [
    `${KNOWN}export const handlers: Handlers<operations, unknown> = { ...known };`,
    [expect.stringMatching(/^TS(2741|2739) .*resetEpisode/)],
  ],
  'handles the new operation': [
    `${KNOWN}export const handlers: Handlers<operations, unknown> = {
      ...known,
      resetEpisode: ({ path, header }) => ({ sid: path.env_name + header['X-Session-ID'] }),
    };`,
    [],
  ],
  'answers the new operation with a wrong shape': [
    `${KNOWN}export const handlers: Handlers<operations, unknown> = { ...known, resetEpisode: () => ({ id: 'abc' }) };`,
    [expect.stringMatching(/^TS2322 /)],
  ],
  'calls the new operation': [
    `${CLIENT}export const sid: Promise<string | undefined> = client.resetEpisode({ params }).then(({ data }) => data?.sid);`,
    [],
  ],
  'calls the new operation without its parameters': [
    `${CLIENT}export const answer = client.resetEpisode({});`,
    [expect.stringMatching(/^TS2345 .*params/)],
  ],
  'calls an operation that the document does not have': [
    `${CLIENT}export const answer = client.nonsense();`,
    [expect.stringMatching(/^TS2339 .*nonsense/)],
  ],
} as const;

test('an operation that is added to the document is missed by the compiler wherever it is not handled', async () => {
  await using shop = await workshop();
  const document = (await readFile(spec, 'utf8')).replace(/^components:$/m, `${RESET}components:`);
  const copy = await shop.write('ors.openapi.yaml', document);
  const words = ['--out', shop.folder, '--import-suffix', 'ts', '--events-from', '../../src/sse/index.ts'];

  const outcome = await orsGenerate(copy, ...words);
  const files = await Promise.all(
    Object.values(consumers).map(([text], index) => shop.write(`consumer-${index}.ts`, text)),
  );
  const errors = typeErrors(files);

  expect(outcome).toEqual({ exitCode: 0, stderr: '' });
  const found = Object.keys(consumers).map((does, index) => [does, errors[index]]);
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(consumers).map(([does, [, expected]]) => [does, expected])),
  );
});
