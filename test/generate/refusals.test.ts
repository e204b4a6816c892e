import { expect, test } from '@jest/globals';
import { assertSyntax } from '../../src/generate/generate.ts';
import { orsGenerate, workshop } from './workshop.ts';

const document = (paths: string, rest = ''): string =>
  `openapi: 3.1.0\ninfo: { title: Shop, version: '1' }\npaths:\n${paths}${rest}`;
const operation = (path: string, lines: string): string =>
  `  ${path}:\n    get:\n      ${lines}\n      responses: { '200': { description: Fine. } }\n`;

test.each([
  ['is cut off', 'a: [1', 'cannot be parsed: unexpected end'],
  ['is not a document', 'hello', 'does not contain an object'],
  ['is something else', 'shop: open', 'neither an OpenAPI document'],
  ['is too old', "swagger: '2.0'", 'this is Swagger 2.0; convert it to OpenAPI 3.1 first'],
  ['has an unknown version', 'openapi: 4.0.0', 'expected openapi 3.0 or 3.1, got 4.0.0'],
  ['lacks what OpenAPI requires', 'openapi: 3.1.0\npaths: {}', '`info` must be present'],
  [
    'refers to nothing',
    document(operation('/a', "operationId: a\n      parameters: [{ $ref: '#/nowhere' }]")),
    "Can't resolve",
  ],
  ['refers to a missing file', document("  /a: { $ref: './a.yaml' }\n"), "Can't resolve"],
  [
    'has a schema that refers only to itself',
    document('  {}\n', "components: { schemas: { S: { $ref: '#/components/schemas/S' } } }\n"),
    'the $ref at /components/schemas/S leads back to itself',
  ],
  [
    'has an invalid schema',
    document('  {}\n', 'components: { schemas: { A: { type: text } } }\n'),
    'a schema is not valid: #/components/schemas/A/type must',
  ],
  [
    'has schemas that consist of each other',
    document(
      '  {}\n',
      "components: { schemas: { A: { allOf: [{ $ref: '#/components/schemas/B' }] }, B: { allOf: [{ $ref: '#/components/schemas/A' }] } } }\n",
    ),
    'invalid schema A: it refers to itself for the same value',
  ],
])('rejects a specification that %s in one line', async (_, text, reason) => {
  await using shop = await workshop();
  const spec = await shop.write('shop.yaml', text);

  const { exitCode, stderr } = await orsGenerate(spec, '--out', shop.path('out'));

  expect(exitCode).toBe(1);
  expect(stderr).toContain(reason);
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(spec)]);
});

test.each([
  ['refers to another file', '{"$defs":{"A":{"$ref":"b.json"}}}', 'it refers to b.json'],
  ['refers to nothing', '{"$defs":{"A":{"$ref":"#/$defs/B"}}}', '#/$defs/B'],
  // With a byte order mark, as some editors write it.
  ['refers only to itself', '\ufeff{"$defs":{"A":{"$ref":"#/$defs/A"}}}', 'the $ref at /$defs/A leads back to itself'],
  ['has an invalid type', '{"$defs":{"A":{"type":"text"}}}', '#/$defs/A/type must be'],
])('rejects a JSON Schema that %s in one line', async (_, text, reason) => {
  await using shop = await workshop();
  const spec = await shop.write('a.schema.json', text);

  const { exitCode, stderr } = await orsGenerate(spec, '--out', shop.path('out'));

  expect(exitCode).toBe(1);
  expect(stderr).toContain(reason);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

test('rejects with the path of a missing specification', async () => {
  expect(await orsGenerate('nowhere.yaml', '--out', 'nowhere')).toEqual({
    exitCode: 1,
    stderr: 'ors: nowhere.yaml: cannot be read: the file does not exist\n',
  });
});

test('rejects with the path of a folder that is not writable', async () => {
  await using shop = await workshop();
  const spec = await shop.write('a.schema.json', '{"type":"string"}');

  const { exitCode, stderr } = await orsGenerate(spec, '--out', `${spec}/out`);

  expect(exitCode).toBe(1);
  expect(stderr).toBe(
    `ors: cannot write into ${spec}/out: a part of its path is not a folder; check the path; choose another folder with --out\n`,
  );
});

test('rejects a generated file that is not TypeScript', async () => {
  const files = ['export type Text = string;', 'export type JSONValue = () => ;'].map((text, index) => ({
    name: `${index}.ts`,
    text,
  }));

  await expect(assertSyntax(files)).rejects.toThrow('the generated 1.ts is not valid: Type expected.');
});
