import { expect, test } from '@jest/globals';
import { orsGenerate, workshop } from './workshop.ts';

test('generates validators that treat names that objects inherit like all others', async () => {
  await using shop = await workshop();
  const names = ['constructor', 'hasOwnProperty', 'toString', 'valueOf', '__proto__'];
  const own = (name: string, value: unknown) => Object.fromEntries([[name, value]]);
  const $defs = Object.fromEntries(
    names.flatMap((name, at) => [
      [`Optional${at}`, { type: 'object', properties: own(name, { type: 'number' }) }],
      [`Required${at}`, { type: 'object', required: [name] }],
      [`Constant${at}`, { const: own(name, '') }],
      [`Closed${at}`, { anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }], unevaluatedProperties: false }],
    ]),
  );
  const Items = { type: 'array', uniqueItems: true };
  const Names = { ...Items, items: { type: 'string' } };
  const schema = JSON.stringify({ $defs: { ...$defs, Items, Names, constructor: { const: 1 } } });

  const outcome = await orsGenerate(await shop.write('names.json', schema), '--out', shop.folder);
  const { validators } = await import(shop.path('names-validators.ts'));

  expect(outcome).toMatchObject({ exitCode: 0 });
  const verdicts = names.map((name, at) => ({
    optional: [{}, own(name, 1), own(name, 'x')].map(validators[`Optional${at}`]),
    required: [{}, own(name, 1)].map(validators[`Required${at}`]),
    constant: [own(name, ''), own(name, 1), {}].map(validators[`Constant${at}`]),
    closed: [{ a: 1 }, own(name, 1)].map(validators[`Closed${at}`]),
    items: [
      [{}, own(name, null)],
      [own(name, 1), own(name, 1)],
    ].map(validators.Items),
    names: [[name], [name, 'a', name]].map(validators.Names),
  }));
  const right = {
    optional: [true, true, false],
    required: [false, true],
    constant: [true, false, false],
    closed: [true, false],
    items: [true, false],
    names: [true, false],
  };
  expect(verdicts).toEqual(names.map(() => right));
  expect([1, 2].map(validators.constructor)).toEqual([true, false]);
});
