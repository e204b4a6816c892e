import { expect, test } from '@jest/globals';
import { parsePairs, toToolInput } from '../../src/cli/call/session-call.ts';
import type { JSONObject, JSONValue } from '../../src/protocol/index.ts';
import fc, { unicode } from '../support/fast-check.ts';

const read = (args: readonly string[], properties: JSONObject = {}, more: JSONObject = {}) =>
  toToolInput(parsePairs(args), {
    name: 'tool',
    description: '',
    input_schema: { type: 'object', properties, ...more },
  });

const nullable = { anyOf: [{ type: 'string' }, { type: 'null' }] };

test.each<[argument: string, schema: JSONObject, value: JSONValue]>([
  ['k=5', { type: 'integer' }, 5],
  ['k=-5', { type: 'integer' }, -5],
  ['k=5.0', { type: 'integer' }, 5],
  ['k=0.5', { type: 'number' }, 0.5],
  ['k=5', { type: 'number' }, 5],
  ['k=true', { type: 'boolean' }, true],
  ['k=[1,2]', { type: 'array' }, [1, 2]],
  ['k={"a":1}', { type: 'object' }, { a: 1 }],
  ['k=null', { type: 'null' }, null],
  ['k=5', { type: 'string' }, '5'],
  ['k=true', { type: 'string' }, 'true'],
  ['k="x"', { type: 'string' }, '"x"'],
  ['k=', { type: 'string' }, ''],
  ['k=a=b', { type: 'string' }, 'a=b'],
  ['k= x ', { type: 'string' }, ' x '],
  ['k=null', nullable, null],
  ['k=nothing', nullable, 'nothing'],
  ['k=5', nullable, '5'],
  ['k=5', { type: ['string', 'integer'] }, 5],
  ['k="5"', { type: ['string', 'integer'] }, '5'],
  ['k=5.5', { type: ['string', 'integer'] }, '5.5'],
  ['k=5', { enum: ['5', '6'] }, '5'],
  ['k=5', { enum: [5, '6'] }, 5],
  ['k=5', { const: '5' }, '5'],
  ['k=5', { allOf: [{ type: ['string', 'integer'] }, { type: 'string' }] }, '5'],
  ['k=5', { $ref: '#/$defs/name' }, '5'],
  ['k=5', { $ref: '#/$defs/nowhere' }, 5],
  ['k=5', {}, 5],
  ['k=word', {}, 'word'],
  ['k:=5', { type: 'string' }, 5],
  ['k:="5"', { type: 'integer' }, '5'],
  ['k:={"a": [null]}', {}, { a: [null] }],
])('%s with the schema %j is %j', (argument, schema, value) => {
  const input = read([argument], { k: schema }, { $defs: { name: { type: 'string' } } });

  expect(input).toEqual({ k: value });
});

test.each<[argument: string, value: JSONValue]>([
  ['other=5', 5],
  ['other=null', null],
  ['other=word', 'word'],
  ['other=1e999', '1e999'],
  ['other=12345678901234567890', '12345678901234567890'],
])('%s without a schema is %j', (argument, value) => {
  expect(read([argument])).toEqual({ other: value });
});

test('applies additionalProperties to every key without a schema in properties', () => {
  const input = read(['a=5', 'b=5'], { a: { type: 'integer' } }, { additionalProperties: { type: 'string' } });

  expect(input).toEqual({ a: 5, b: '5' });
});

test('finds parameters in the branches of oneOf', () => {
  const options = { oneOf: [{ properties: { a: { type: 'string' } } }, { properties: { a: { type: 'integer' } } }] };

  expect(read(['a=5'], {}, options)).toEqual({ a: 5 });
  expect(read(['a=five'], {}, options)).toEqual({ a: 'five' });
});

test.each<[name: string, $defs: JSONObject]>([
  ['refers to itself', { k: { $ref: '#/$defs/k' } }],
  ['contains itself in anyOf', { k: { anyOf: [{ type: 'integer' }, { $ref: '#/$defs/k' }] } }],
  ['contains itself many times in allOf', { k: { allOf: Array.from({ length: 50 }, () => ({ $ref: '#/$defs/k' })) } }],
  ['has a reference that cannot be decoded', { k: { $ref: '#/$defs/%ff%' } }],
])('reads a schema that %s', (_name, $defs) => {
  expect(read(['k=5'], { k: { $ref: '#/$defs/k' } }, { $defs })).toEqual({ k: 5 });
  expect(read(['k=5'], {}, { $defs, allOf: [{ $ref: '#/$defs/k' }] })).toEqual({ k: 5 });
});

test('reads an endlessly recursive schema close to the stack limit', () => {
  const $defs = { k: { allOf: [{ $ref: '#/$defs/k' }] } };
  const atDepth = (left: number): unknown =>
    left === 0 ? read(['k=5'], {}, { $defs, allOf: [{ $ref: '#/$defs/k' }] }) : atDepth(left - 1);

  expect(atDepth(3_000)).toEqual({ k: 5 });
});

test('accepts keys that are members of Object.prototype', () => {
  const input = read(['__proto__=1', 'constructor=2', 'toString=x']);

  expect(JSON.stringify(input)).toBe('{"__proto__":1,"constructor":2,"toString":"x"}');
});

test.each([
  [['word'], "invalid parameter 'word': expected key=value or key:=json"],
  [['=5'], "invalid parameter '=5': expected a name before '='"],
  [[':=5'], "invalid parameter ':=5': expected a name before '='"],
  [['n=1', 'n=2'], "duplicate parameter 'n'"],
  [['n=two'], "n of tool 'tool' must be an integer; 'two' is not; to send other JSON, write n:=<json>"],
  [['n='], "n of tool 'tool' must be an integer; '' is not; to send other JSON, write n:=<json>"],
  [['n=1.5'], "n of tool 'tool' must be an integer; '1.5' is not; to send other JSON, write n:=<json>"],
  [
    ['n=12345678901234567890'],
    "n of tool 'tool' has more digits than a number can hold; to send other JSON, write n:=<json>",
  ],
  [['f=yes'], "f of tool 'tool' must be true or false; 'yes' is not; to send other JSON, write f:=<json>"],
  [['n:={'], `n:= is not valid JSON: '{'; write it as in '{"answer": "42"}', with double quotes inside`],
])('rejects %j: %s', (args, message) => {
  expect(() => read(args, { n: { type: 'integer' }, f: { type: 'boolean' } })).toThrow(message);
});

test.each(['n:=9007199254740993', 'n:={"a":[1e400]}'])('rejects %s, which JavaScript would change', (argument) => {
  expect(() => read([argument])).toThrow(/^n:=: .* is a number that cannot be kept exactly; send it as a string$/);
});

test('keeps a list as text, or rejects it, if JavaScript would change a number in it', () => {
  expect(read(['n=[9007199254740993]'])).toEqual({ n: '[9007199254740993]' });
  expect(() => read(['n=[9007199254740993]'], { n: { type: 'array' } })).toThrow(
    'has more digits than a number can hold',
  );
});

test('accepts a number beyond the safe integers only if JSON preserves its digits', () => {
  const type = { type: 'number' };

  expect(read(['n=-54210323432627130'], { n: type })).toEqual({ n: -54210323432627130 });
  expect(() => read(['n=-54210323432627131'], { n: type })).toThrow('has more digits than a number can hold');
});

/** Arbitrary values of each schema type. */
const TYPES = {
  string: unicode(),
  integer: fc.oneof(fc.integer(), fc.maxSafeInteger()),
  number: fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ min: 2 ** 53, max: 1e21, noNaN: true }),
  ),
  boolean: fc.boolean(),
  null: fc.constant(null),
  array: fc.array(fc.jsonValue()),
  object: fc.dictionary(fc.string(), fc.jsonValue()),
};
const typed = fc
  .constantFrom(...(Object.keys(TYPES) as (keyof typeof TYPES)[]))
  .chain((type) => TYPES[type].map((value) => ({ type, value: JSON.parse(JSON.stringify(value)) as JSONValue })));

test('parses every value of every schema type from key=value and from key:=json', () => {
  fc.assert(
    fc.property(typed, ({ type, value }) => {
      const json = JSON.stringify(value);
      const plain = typeof value === 'string' ? value : json;

      expect(read([`k=${plain}`], { k: { type } })).toEqual({ k: value });
      expect(read([`k=${json}`], { k: { type: [type, 'null'] } })).toEqual({ k: value });
      expect(read([`k:=${json}`], { k: { type } })).toEqual({ k: value });
      expect(read([`k:=${json}`])).toEqual({ k: value });
    }),
  );
});
