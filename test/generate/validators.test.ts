import { afterAll, expect, test } from '@jest/globals';
import { readMessages, schemaSets } from '../spec/golden-messages.ts';
import fc, { runs } from '../support/fast-check.ts';
import { orsGenerate, workshop } from './workshop.ts';

/** Generates the validators of all schemas; `generated/` has only a part of them. */
const shop = await workshop();
afterAll(async () => shop[Symbol.asyncDispose]());
await orsGenerate('spec/ors.openapi.yaml', '--out', shop.folder);
await orsGenerate('spec/trace.schema.json', '--out', shop.folder);
const { validators: orsValidators } = await import(shop.path('ors-validators.ts'));
const { validators: traceValidators } = await import(shop.path('trace-validators.ts'));

const [ors, trace] = schemaSets;
const sets = [
  { ...ors, generated: orsValidators as object },
  { ...trace, generated: traceValidators as object },
];
const cases = sets.flatMap(({ folder = '', names = [], generated }) =>
  names.map((name) => ({ name: folder + name, schema: name, folder, validate: Reflect.get(generated, name) })),
);
const reference = (folder: string, name: string) => schemaSets.find((set) => set.folder === folder)?.validator(name);

const golden = new Map(schemaSets.map(({ folder }) => [folder, readMessages(folder)]));

test.each(cases)('agrees with the specification on every golden message of $name', (each) => {
  const { folder, schema, validate } = each;
  const { messages } = golden.get(folder)?.find(({ file }) => file === schema) ?? {};
  const values = [...(messages?.valid ?? []), ...(messages?.invalid ?? [])].flatMap(({ value }) => value ?? []);

  const judge = reference(folder, schema);

  expect(values.map((value) => validate(value))).toEqual(values.map((value) => judge?.(value)));
});

test.each(cases)('agrees with the specification on any JSON for $name', ({ folder, schema, validate }) => {
  const judge = reference(folder, schema);

  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(validate(value)).toBe(judge?.(value));
    }),
    { numRuns: runs(30) },
  );
});

test('reports path and reason of an invalid value', () => {
  const { ToolOutput } = orsValidators;

  expect(ToolOutput({ blocks: [], finished: 'yes' })).toBe(false);
  expect(ToolOutput.errors).toEqual([
    expect.objectContaining({ instancePath: '/finished', keyword: 'type', message: 'must be boolean' }),
  ]);
});

test('rejects NaN and infinity as numbers', () => {
  const outputs = [Number.NaN, Number.POSITIVE_INFINITY].map((reward) => ({ blocks: [], finished: false, reward }));

  expect(outputs.map((output) => orsValidators.ToolOutput(output))).toEqual([false, false]);
});

test('resolves references to an anchor and to an $id, but not data that looks like a reference', async () => {
  const Point = { $anchor: 'pt', type: 'object', properties: { x: { type: 'number' } }, required: ['x'] };
  const schema = {
    $defs: {
      Point: { ...Point, examples: [{ $ref: 'other.json' }], default: { $ref: 'other.json' } },
      Line: { $id: 'line', type: 'array', items: { $ref: '#/$defs/one' }, $defs: { one: { const: 1 } } },
      Path: { type: 'array', items: { $ref: '#pt' } },
      Lines: { type: 'array', items: { $ref: 'line' } },
    },
  };

  const outcome = await orsGenerate(await shop.write('anchors.json', JSON.stringify(schema)), '--out', shop.folder);
  const { validators } = await import(shop.path('anchors-validators.ts'));

  expect(outcome).toMatchObject({ exitCode: 0 });
  expect([[{ x: 1 }], [{}]].map(validators.Path)).toEqual([true, false]);
  expect([[[1]], [[2]]].map(validators.Lines)).toEqual([true, false]);
});
