import { expect, test } from '@jest/globals';
import { generate } from '../../src/generate/index.ts';
import { workshop } from './workshop.ts';

/** Returns the generated types of a specification with normalized white space. */
async function typesOf(file: string, specification: object): Promise<string> {
  await using shop = await workshop();
  const files = await generate(await shop.write(file, JSON.stringify(specification)));
  return (files.find(({ name }) => name === 'it.ts')?.text ?? '').replaceAll(/\s+/g, ' ');
}

const property = (schema: object) =>
  typesOf('it.openapi.json', {
    openapi: '3.1.0',
    info: { title: 'It', version: '1' },
    paths: {},
    components: { schemas: { It: { type: 'object', properties: { member: schema }, required: [] } } },
  });

test.each([
  ['a default leaves a member optional', { type: 'integer', default: 3 }, 'member?: number;'],
  ['a type array is a union', { type: ['string', 'null'] }, 'member?: string | null;'],
  ['const is a literal', { const: 'text' }, 'member?: "text";'],
  ['const with a type is a literal', { type: 'boolean', const: true }, 'member?: true;'],
  ['an enum is a union of literals', { enum: ['a', 'b'] }, 'member?: "a" | "b";'],
  ['an object without fields may hold anything', { type: 'object' }, 'member?: Record<string, unknown>;'],
  ['anyOf with null is nullable', { anyOf: [{ type: 'number' }, { type: 'null' }] }, 'member?: number | null;'],
])('generates the types of an OpenAPI document: %s', async (_, schema, expected) => {
  expect(await property(schema)).toContain(expected);
});

test.each([
  ['a default leaves a member optional', { type: 'integer', default: 3 }, 'member?: number;'],
  ['a type array is a union', { type: ['string', 'null'] }, 'member?: string | null;'],
  ['const is a literal', { const: 'text' }, 'member?: "text";'],
  [
    'an object that names its fields has no others',
    { type: 'object', properties: { a: {} } },
    'member?: { a?: unknown; };',
  ],
])('generates the types of a JSON Schema: %s', async (_, schema, expected) => {
  const schemas = { Unreachable: { type: 'object', properties: { member: schema } } };

  expect(await typesOf('it.schema.json', { $defs: schemas })).toContain(`export interface Unreachable { ${expected} }`);
});

test('generates unions of names, and a type for the root of a JSON Schema', async () => {
  const types = await typesOf('it.schema.json', {
    title: 'Shape',
    oneOf: [{ $ref: '#/$defs/Circle' }, { $ref: '#/$defs/Square' }],
    $defs: { Circle: { type: 'object' }, Square: { type: 'object' } },
  });

  expect(types).toContain('export type Shape = Circle | Square;');
});

test('names types of a JSON Schema after definitions, and others after titles', async () => {
  const types = await typesOf('it.schema.json', {
    $defs: {
      user: { const: 'lower' },
      User: { const: 'upper' },
      '2fa-códe': { title: 'User', const: 'digit' },
      Same: { $ref: '#/$defs/Owner' },
      Owner: {
        type: 'object',
        properties: { pet: { title: 'Pet', type: 'object' }, user: { title: 'User', type: 'object' } },
      },
    },
  });

  expect(types).toContain('export type User2 = "lower"; export type User = "upper"; export type FaCode = "digit";');
  expect(types).toContain('export type Same = Owner;');
  expect(types).toContain('export interface Owner { pet?: Pet; user?: { [k: string]: unknown; }; }');
});
