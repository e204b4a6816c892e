import {
  asSchema,
  canonicalJson,
  flattenSchema,
  type JSONSchema,
  mergeSchemas,
  pointerKeys,
  type SchemaBudget,
  type SchemaResolver,
  withoutKeywords,
} from '../../core/index.ts';
import { alternativesOf } from './alternatives.ts';
import { describeKeywords } from './describe-keywords.ts';
import { allowedJsonTypes, anyTypeSchemas, describedTypeSchema, singleTypeSchema } from './google-keywords.ts';
import { createWorkBudget, type ToolInputSchema } from './object-schema.ts';
import type { GoogleSchema } from './types.ts';

/** Below this depth nothing is shown, in schemas. */
const MAX_DEPTH = 24;

/** How often a reference is opened inside itself, the first time included. */
const ROUNDS = 2;

/** Limits of references inside references; the first with which a schema stays within its budget is taken. */
const REF_LIMITS = [16, 6, 3, 1, 0];

/** Keywords that describe a value of whatever type. */
const DESCRIBING = ['title', 'description', 'default', 'examples'];

interface GoogleSchemaContext {
  readonly resolver: SchemaResolver;
  readonly budget: SchemaBudget;
  readonly refLimit: number;
}

interface SchemaPosition {
  readonly depth: number;
  /** References that are open around this place. */
  readonly refs: readonly string[];
}

/** What a schema allows: one of these, of which none has `anyOf`; and null, perhaps. */
interface AllowedSchemas {
  readonly choices: readonly GoogleSchema[];
  readonly nullable: boolean;
}

/**
 * The input of a tool in the schema of Gemini. It knows no references: they are opened, also inside themselves for two
 * rounds. Undefined for a tool without parameters.
 */
export function toGoogleSchema({ schema, resolver, size }: ToolInputSchema): GoogleSchema | undefined {
  let converted: GoogleSchema | undefined;
  for (const refLimit of REF_LIMITS) {
    const work: GoogleSchemaContext = { resolver, budget: createWorkBudget(size), refLimit };
    converted = described(
      schema,
      singleTypeSchema(schema, 'object', (child) => convert(child, work, { depth: 1, refs: [] })),
    );
    if (work.budget.left > 0) break;
  }
  return converted !== undefined && saysNothing(schema, converted) ? undefined : converted;
}

/** Whether the input is empty; of one that may have properties of every name, the object itself says that. */
function saysNothing(schema: JSONSchema, converted: GoogleSchema): boolean {
  const { additionalProperties, patternProperties } = schema;
  const isOpen = Boolean(additionalProperties ?? patternProperties ?? false);
  return !isOpen && Object.keys(converted).every((keyword) => keyword === 'type' || keyword === 'title');
}

function convert(value: unknown, work: GoogleSchemaContext, place: SchemaPosition): GoogleSchema {
  const schema = asSchema(value);
  const { choices, nullable } = allowed(withoutKeywords(schema, ...DESCRIBING), work, place);
  const [first = describedTypeSchema('string', 'Always null.'), ...others] = distinct(choices);
  const head = described(
    nullable ? withoutKeywords(schema, ...(schema.default === null ? ['default'] : [])) : schema,
    first,
  );
  if (nullable) head.nullable = true;
  if (others.length === 0) return head;
  // Vertex AI refuses every other keyword beside anyOf.
  return { anyOf: [head, ...others] };
}

function allowed(value: JSONSchema, work: GoogleSchemaContext, place: SchemaPosition): AllowedSchemas {
  work.budget.left -= 1;
  const { schema, refs } = flattenSchema(value, work.resolver, work.budget);
  const types = allowedJsonTypes(schema);
  if (isTooFar(refs, work, place)) {
    const name = refs[0] === undefined ? undefined : nameOf(refs[0]);
    const note =
      name === undefined ? 'Its fields are not shown.' : `Nested; its fields are those of ${JSON.stringify(name)}.`;
    return {
      choices: [describedTypeSchema(types?.find((type) => type !== 'null') ?? 'object', note)],
      nullable: types?.includes('null') ?? false,
    };
  }
  const here: SchemaPosition = { depth: place.depth, refs: [...place.refs, ...refs] };
  const alternatives = alternativesOf(schema);
  if (alternatives !== undefined) {
    const base = withoutKeywords(schema, alternatives.keyword);
    const each = alternatives.schemas.map((choice) => allowed(mergeSchemas(choice, base), work, here));
    return { choices: each.flatMap(({ choices }) => choices), nullable: each.some(({ nullable }) => nullable) };
  }
  const inside: SchemaPosition = { ...here, depth: place.depth + 1 };
  const change = (child: unknown) => convert(child, work, inside);
  if (types === undefined) return { choices: anyTypeSchemas(schema), nullable: true };
  const choices = types
    .filter((type) => type !== 'null')
    .map((type) => described(schema, singleTypeSchema(schema, type, change)));
  return { choices, nullable: types.includes('null') || schema.nullable === true };
}

/** Returns the name of what a reference leads to, which is given as a pointer, or as text if that is nothing. */
const nameOf = (ref: string): string => (pointerKeys(ref) ?? ref.split('/')).at(-1) ?? '#';

function isTooFar(refs: readonly string[], { budget, refLimit }: GoogleSchemaContext, place: SchemaPosition): boolean {
  const again = refs.some((ref) => place.refs.filter((open) => open === ref).length >= ROUNDS);
  return again || budget.left <= 0 || place.depth > MAX_DEPTH || (refs.length > 0 && place.refs.length >= refLimit);
}

/** The converted schema with what the schema says about the value: its title, description, default and examples. */
function described(schema: JSONSchema, converted: GoogleSchema): GoogleSchema {
  const { title, description } = schema;
  const told = { ...converted };
  if (typeof title === 'string' && title !== '') told.title = title;
  const { default: value, examples } = schema;
  const words = describeKeywords({
    ...(value === undefined ? {} : { default: value }),
    ...(examples === undefined ? {} : { examples }),
  });
  const sentences = [description, converted.description, words].filter(
    (text) => typeof text === 'string' && text !== '',
  );
  if (sentences.length > 0) told.description = [...new Set(sentences)].join('\n');
  return told;
}

function distinct(choices: readonly GoogleSchema[]): GoogleSchema[] {
  return [...new Map(choices.map((choice) => [canonicalJson(choice), choice])).values()];
}
