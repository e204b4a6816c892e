import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { petShop } from './pet-shop.ts';
import { orsGenerate, workshop } from './workshop.ts';

const spec = new URL('../../spec/ors.openapi.yaml', import.meta.url);

const RESET = `  /{env_name}/reset:
    post:
      operationId: resetEpisode
      tags: [sessions]
      summary: Restart the episode
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

test('fails to compile wherever a new operation of the document is not handled', async () => {
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

const PET_SHOP_CONSUMER = `
import { createPetShopClient } from './pet-shop-client.js';
import { operations } from './pet-shop-operations.js';
import { validators } from './pet-shop-validators.js';

const client = createPetShopClient({ baseUrl: 'http://localhost' });
export const names = client.listPets().then(({ data }) => data?.map(({ name }) => name.length));
export const refused = client.addPet({ body: { name: 'Rex' } }).then(({ error }) => error?.title);
export const motto: Promise<string | undefined> = client.motto().then(({ data }) => data);
export const size: Promise<number | undefined> = client.photo().then(({ data }) => data?.size);
export const path: '/pets/{id}' = operations.delete.path;
export const tagOf = (value: unknown) => (validators.Pet(value) ? value.tag?.length : undefined);
`;

test('compiles the files of a foreign document with code that uses them', async () => {
  await using shop = await petShop();
  const consumer = await shop.write('consumer.ts', PET_SHOP_CONSUMER);
  const generated = ['', '-operations', '-document', '-validators', '-client'].map((part) => `pet-shop${part}.ts`);

  const errors = typeErrors([consumer, ...generated.map(shop.path)]);

  expect(shop.outcome).toEqual({ exitCode: 0, stderr: '' });
  expect(errors.flat()).toEqual([]);
});

test('accepts exactly JSON as JSONValue', async () => {
  await using shop = await workshop();
  const use = (name: string, value: string) =>
    shop.write(
      `${name}.ts`,
      `import type { components } from '../../generated/ors.ts';
       type Schemas = components['schemas'];
       export const value: Schemas['JSONValue'] = ${value};
       export const object: Schemas['JSONObject'] = { value: ${value} };`,
    );

  const [fine, refused] = typeErrors([
    await use('fine', '[1, "a", null, true, { a: [{ b: 2 }] }]'),
    await use('refused', '{ a: () => 1 }'),
  ]);

  expect(fine).toEqual([]);
  expect(refused).toEqual([expect.stringMatching(/^TS2322 /), expect.stringMatching(/^TS2322 /)]);
});

/** Compiles the files with the options of this project and returns the errors of each file, as `TS2741 ...`. */
function typeErrors(paths: readonly string[]): string[][] {
  const project = fileURLToPath(new URL('../../tsconfig.json', import.meta.url));
  const { config } = ts.readConfigFile(project, ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(
    config.compilerOptions,
    fileURLToPath(new URL('../../', import.meta.url)),
  );
  const program = ts.createProgram(paths, { ...options, noEmit: true });
  return paths.map((path) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(path))
      .map(({ code, messageText }) => `TS${code} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`),
  );
}
