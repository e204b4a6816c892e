import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { portableSchemas, schemaFile } from '../../src/generate/generate.ts';
import { readMessages } from '../spec/golden-messages.ts';

const schema = JSON.parse(readFileSync(new URL('../../generated/ors.schema.json', import.meta.url), 'utf8'));
const dialects = [
  ['draft-07', () => new Ajv({ strict: false })],
  ['2020-12', () => new Ajv2020({ strict: false })],
] as const;

const translated = (version: string, schemas: object) => portableSchemas({ openapi: version, components: { schemas } });

test.each(dialects)('generates ors.schema.json as valid %s', (_, create) => {
  const ajv = create();

  expect(ajv.validateSchema(schema)).toBe(true);
  expect(Object.keys(schema.definitions)).toContain('ToolOutput');
});

test.each(dialects)('accepts exactly the valid golden messages by ors.schema.json as %s', (_, create) => {
  const ajv = create().addSchema(schema, 'ors');
  const surprises = readMessages('messages/').flatMap(({ file, messages }) => {
    const validate = ajv.getSchema(`ors#/definitions/${file}`);
    const refused = messages.valid.filter(({ value }) => !validate?.(value));
    const taken = messages.invalid.filter(({ text, value }) => text === undefined && validate?.(value));
    return [...refused, ...taken].map(({ name }) => `${file}: ${name}`);
  });

  expect(surprises).toEqual([]);
});

test('uses only keywords of JSON Schema in ors.schema.json', () => {
  const keywords = JSON.stringify(schema).match(/"(x-[^"]+|example|discriminator|nullable|#\/components[^"]*)":?/g);

  expect(keywords).toBeNull();
});

test('moves a reference with siblings, which draft-07 ignores, to allOf', () => {
  const { definitions } = translated('3.1.0', {
    Name: { type: 'string' },
    Nick: { $ref: '#/components/schemas/Name', maxLength: 3, allOf: [{ minLength: 1 }] },
  });

  expect(definitions.Nick).toEqual({ maxLength: 3, allOf: [{ minLength: 1 }, { $ref: '#/definitions/Name' }] });
});

test('accepts properties with names of keywords', () => {
  const properties = {
    example: { type: 'string', example: 'a' },
    nullable: { type: 'string' },
    $ref: { type: 'string' },
  };

  const { definitions } = translated('3.1.0', { Odd: { type: 'object', properties } });

  expect(definitions.Odd).toEqual({
    type: 'object',
    properties: { ...properties, example: { type: 'string', examples: ['a'] } },
  });
});

test.each([
  [{ type: 'string', nullable: true }, { type: ['string', 'null'] }],
  [
    { type: 'string', enum: ['a'], nullable: true },
    { type: ['string', 'null'], enum: ['a', null] },
  ],
  [{ allOf: [{ type: 'string' }], nullable: true }, { anyOf: [{ allOf: [{ type: 'string' }] }, { type: 'null' }] }],
  [{ type: 'string', nullable: false }, { type: 'string' }],
  [{ minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
  [{ maximum: 1, exclusiveMaximum: false }, { maximum: 1 }],
])('converts OpenAPI 3.0 %j to %j', (old, expected) => {
  expect(translated('3.0.3', { It: old }).definitions.It).toEqual(expected);
});

test('marks schemas that draft-07 cannot express as 2020-12', () => {
  const pair = translated('3.1.0', { Pair: { prefixItems: [{ type: 'string' }], items: false } });

  expect(JSON.parse(schemaFile(pair, 'Pairs', 'generated'))).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
  });
});
