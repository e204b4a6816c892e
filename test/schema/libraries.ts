import { Type as Type034 } from '@sinclair/typebox';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { Type } from 'typebox';
import * as v from 'valibot';
import { z } from 'zod';
import { jsonSchema } from '../../src/schema/index.ts';

/** Valid input of the tool whose schema is defined below for each library. */
export interface MeasureInput {
  place: string;
  unit: 'km' | 'm';
  count: number;
  range?: { from: number; to: number } | undefined;
  tags: string[];
}

export const withZod = z.object({
  place: z.string(),
  unit: z.enum(['km', 'm']),
  count: z.int().min(1).default(1),
  range: z.object({ from: z.number(), to: z.number().default(5) }).optional(),
  tags: z.array(z.string()),
});

export const withValibot = toStandardJsonSchema(
  v.object({
    place: v.string(),
    unit: v.picklist(['km', 'm']),
    count: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1),
    range: v.optional(v.object({ from: v.number(), to: v.optional(v.number(), 5) })),
    tags: v.array(v.string()),
  }),
);

export const withArktype = type({
  place: 'string',
  unit: "'km' | 'm'",
  count: 'number.integer >= 1 = 1',
  'range?': { from: 'number', to: 'number = 5' },
  tags: 'string[]',
});

export const withTypebox = Type.Object({
  place: Type.String(),
  unit: Type.Union([Type.Literal('km'), Type.Literal('m')]),
  count: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
  range: Type.Optional(Type.Object({ from: Type.Number(), to: Type.Optional(Type.Number({ default: 5 })) })),
  tags: Type.Array(Type.String()),
});

export const withTypebox034 = Type034.Object({
  place: Type034.String(),
  unit: Type034.Union([Type034.Literal('km'), Type034.Literal('m')]),
  count: Type034.Optional(Type034.Integer({ minimum: 1, default: 1 })),
  range: Type034.Optional(
    Type034.Object({ from: Type034.Number(), to: Type034.Optional(Type034.Number({ default: 5 })) }),
  ),
  tags: Type034.Array(Type034.String()),
});

export const withJsonSchema = jsonSchema<MeasureInput>({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    place: { type: 'string' },
    unit: { enum: ['km', 'm'] },
    count: { type: 'integer', minimum: 1, default: 1 },
    range: {
      type: 'object',
      properties: { from: { type: 'number' }, to: { type: 'number', default: 5 } },
      required: ['from'],
    },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['place', 'unit', 'tags'],
});

/** Schemas of the same tool input by library. */
export const libraries: readonly (readonly [name: string, schema: object])[] = [
  ['zod', withZod],
  ['valibot', withValibot],
  ['arktype', withArktype],
  ['typebox', withTypebox],
  ['typebox 0.34', withTypebox034],
  ['JSON Schema', withJsonSchema],
];
