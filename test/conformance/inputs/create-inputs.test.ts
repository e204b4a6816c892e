import { setImmediate } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { UntestableError } from '../../../src/conformance/assertions.ts';
import { createInputGenerator, InputWorker } from '../../../src/conformance/inputs/create-inputs.ts';
import { startCommand } from '../../support/command.ts';

const object = (a: object, more: object = {}) => ({ type: 'object', properties: { a }, required: ['a'], ...more });
const endless = object({ type: 'string', pattern: '(a+)+$', minLength: 60 });
const plain = object({ type: 'integer', minimum: 1 });

const BUILT = new URL('../../../dist/src/conformance/index.js', import.meta.url);

/** Shared by the tests that do not need a new worker. */
const inputs = createInputGenerator();
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
});

/** Returns the reason of an UntestableError, without its prefix; returns any other error itself. */
const reasonOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'there are inputs',
    (error) =>
      error.constructor.name === UntestableError.name
        ? error.message.replace(/^no inputs .* input_schema: /, '')
        : error,
  );

test.each(['the sources', 'the build'])('generates inputs in a worker that loads its code from %s', async (code) => {
  if (code === 'the build') process.env.ORS_BUILT_WORKERS = '1';
  else delete process.env.ORS_BUILT_WORKERS;
  await using inputs = createInputGenerator();

  const { valid, invalid } = await inputs.generate(plain);

  expect(valid[0]).toEqual({ value: { a: 1 }, what: 'the minimal input' });
  expect(invalid[0]).toEqual({ value: {}, what: "'a' left out", isMissingRequired: true });
});

test.each<[string, object, boolean]>([
  ['in the root', plain, true],
  ['behind a reference', { $ref: '#/definitions/A', definitions: { A: plain } }, true],
  ['in a part of several', { allOf: [plain, { type: 'object' }] }, true],
  ['with a default', object({ type: 'integer', default: 1 }), false],
  ['within another', object(plain, { required: [] }), false],
])('marks a missing required parameter %s, unless it has a default or is nested', async (_, schema, isMarked) => {
  const { invalid } = await inputs.generate(schema);

  expect(invalid.some(({ isMissingRequired }) => isMissingRequired === true)).toBe(isMarked);
});

test('generates the empty input and no invalid one for a tool without parameters', async () => {
  expect(await inputs.generate(null)).toEqual({ valid: [{ value: {}, what: 'the empty input' }], invalid: [] });
});

test('generates the inputs of a schema once', async () => {
  const all = await Promise.all([
    inputs.generate(plain),
    inputs.generate({}),
    inputs.generate({ ...plain }),
    inputs.generate(plain),
  ]);

  expect(all[2]).toBe(all[0]);
  expect(all[3]).toBe(all[0]);
});

test('generates random inputs that depend only on the seed', async () => {
  await using fresh = createInputGenerator({ seed: 1 });
  await using other = createInputGenerator({ seed: 2 });

  const [first, again, different] = await Promise.all(
    [inputs, fresh, other].map((each) => each.generate(plain, { random: 4 })),
  );

  expect(first?.valid.filter(({ what }) => what.startsWith('a random input'))).toHaveLength(4);
  expect(again).toEqual(first);
  expect(different).not.toEqual(first);
});

test('gives up on a schema at the time limit, and starts a new worker for the next one', async () => {
  await using impatient = createInputGenerator({ timeoutMs: 1_000 });

  const [reason, after] = await Promise.all([reasonOf(impatient.generate(endless)), impatient.generate(plain)]);

  expect(reason).toBe('it takes longer than 1 s');
  expect(after.valid[0]?.value).toEqual({ a: 1 });
});

test('gives up on a schema at the memory limit, and starts a new worker for the next one', async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, index) => [`key${index}`, { minLength: 1 }]),
  );
  await using thread = new InputWorker({ timeoutMs: 60_000, megabytes: 32 });
  const run = (schema: object) => thread.run({ schema: JSON.stringify(schema), random: 0, seed: 1 });

  expect(await run({ type: 'object', properties })).toEqual({ untestable: 'it takes too much memory' });
  expect(await run(plain)).toHaveProperty('inputs.valid.0.value', { a: 1 });
});

const deep = (levels: number) => {
  let schema: object = { type: 'string' };
  for (let level = 0; level < levels; level++) schema = { properties: { a: schema } };
  return schema;
};

const circle = /^it is too deep, too large or circular/;

test('rejects an unusable schema with a reason', async () => {
  const reasons: readonly (readonly [unknown, string | RegExp])[] = [
    ['object', 'it is not a JSON Schema but "object"'],
    [42, 'it is not a JSON Schema but 42'],
    [[], 'it is not a JSON Schema but []'],
    [false, 'no matching object was found'],
    [{ type: 'string' }, 'no matching object was found'],
    [object({ type: 'integer', minimum: 5, maximum: 4 }), 'no matching object was found'],
    [object({ type: 'array', minItems: 1e9 }), 'no matching object was found'],
    [{ type: 'objekt' }, 'it is not valid: /type must be equal to one of the allowed values'],
    [{ type: 'object', properties: [] }, 'it is not valid: /properties must be object'],
    [{ $schema: 'https://example.com/mine' }, 'its $schema "https://example.com/mine" is not supported'],
    [object({ type: 'string', pattern: '(?P<x>a' }), /^it does not compile: Invalid regular expression/],
    [
      object({ $ref: 'https://example.com/a.json' }),
      "it refers to 'https://example.com/a.json', which it does not contain; references are not fetched",
    ],
    [object({ $ref: '#/$defs/b' }), "it refers to '#/$defs/b', which it does not contain; references are not fetched"],
    [{ $ref: '#' }, circle],
    [{ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }, circle],
    [{ allOf: [{ $ref: '#' }] }, circle],
    [object({ $ref: '#' }), 'no matching object was found'],
    [deep(100_000), 'it is nested too deeply'],
    [object({ enum: ['x'.repeat(5_000_000)] }), 'it has 5000067 characters, more than the limit of 4000000'],
  ];

  for (const [schema, reason] of reasons) {
    const given = await reasonOf(inputs.generate(schema));

    if (typeof reason === 'string') expect(given).toBe(reason);
    else expect(given).toMatch(reason);
  }
});

test('rejects waiting and later requests when the run ends', async () => {
  const inputs = createInputGenerator();
  await inputs.generate({});
  const waiting = [reasonOf(inputs.generate(endless)), reasonOf(inputs.generate(plain))];
  await setImmediate();

  await inputs[Symbol.asyncDispose]();

  expect(await Promise.all(waiting)).toEqual(['the run has ended', 'the run has ended']);
  expect(await reasonOf(inputs.generate(true))).toBe('the run has ended');
});

test('does not keep the process alive if it is not disposed of', async () => {
  const code = `import { createInputGenerator } from '${BUILT.href}'; console.log((await createInputGenerator().generate(true)).valid.length);`;
  await using command = startCommand([process.execPath, '--input-type=module', '-e', code]);

  expect(await command.result).toMatchObject({ code: 0, stdout: '1\n', stderr: '' });
});
