import type { JSONObject } from '../../../src/core/json.ts';
import fc from '../../support/fast-check.ts';

const limits = fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 6 }));
/** Without __proto__, which ajv does not look at. */
const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'text', 'constructor', 'x y', 'naïve'), { maxLength: 4 });

const text = fc.oneof(
  fc.constant<JSONObject>({ type: 'string' }),
  limits.map(([least, more]): JSONObject => ({ type: 'string', minLength: least, maxLength: least + more })),
  fc.constantFrom<JSONObject>({ type: 'string', pattern: '^[a-z]+$' }, { type: 'string', default: 'x' }),
);
const number = fc.oneof(
  fc.constantFrom<JSONObject>({ type: 'number' }, { type: 'integer' }, { type: 'integer', multipleOf: 3 }),
  limits.map(([least, more]): JSONObject => ({ type: 'integer', minimum: least, maximum: least + more })),
  limits.map(([least]): JSONObject => ({ type: 'number', exclusiveMinimum: least, default: least + 0.5 })),
);
const choice = fc.oneof(
  fc.constantFrom<JSONObject>({ type: 'boolean' }, { type: 'null' }, { const: { k: [1] } }, { const: 'fixed' }),
  fc
    .uniqueArray(fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.boolean()), { minLength: 1, maxLength: 8 })
    .map((options): JSONObject => ({ enum: options })),
);
const anything = fc.constantFrom<JSONObject>(
  {},
  { type: ['string', 'null'] },
  { type: ['integer', 'boolean', 'array'] },
);

/** Schemas of the kinds that tools have: all types, limits, choices, alternatives, nested objects and lists. */
export const { schema: schemas, object: objectSchemas } = fc.letrec<{ schema: JSONObject; object: JSONObject }>(
  (tie) => ({
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      text,
      number,
      choice,
      anything,
      tie('object'),
      fc.tuple(tie('schema'), limits, fc.boolean()).map(
        ([items, [least, more], uniqueItems]): JSONObject => ({
          type: 'array',
          items,
          minItems: least % 2,
          maxItems: (least % 2) + more,
          uniqueItems,
        }),
      ),
      fc
        .tuple(fc.constantFrom('anyOf', 'oneOf'), fc.array(tie('schema'), { minLength: 1, maxLength: 3 }))
        .map(([keyword, branches]): JSONObject => ({ [keyword]: branches })),
      tie('schema').map((inner): JSONObject => ({ allOf: [inner], description: 'one part' })),
    ),
    object: names.chain((own) =>
      fc
        .tuple(
          fc.tuple(...own.map(() => tie('schema'))),
          fc.subarray(own),
          fc.constantFrom<JSONObject>(
            {},
            { additionalProperties: false },
            { additionalProperties: { type: 'string' } },
          ),
        )
        .map(
          ([each, required, others]): JSONObject => ({
            type: 'object',
            properties: Object.fromEntries(own.map((name, at) => [name, each[at] ?? {}])),
            required,
            ...others,
          }),
        ),
    ),
  }),
);
