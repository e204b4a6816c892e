import { checkValue, equalJson, isRecord, type SchemaResolver } from '../../../../core/index.ts';
import type { JSONObject, JSONValue } from '../../../../protocol/index.ts';
import { type FieldProperty, type FormField, type FormFieldOf, toFormField } from './field.ts';

/**
 * State of a form, valid or not: the typed text, the index of a choice, or parts. An untouched part is missing and
 * equals `blankDraft`.
 */
export type FormDraft = string | ObjectDraft | ListDraft | UnionDraft;

export interface ObjectDraft {
  readonly parts: Readonly<Record<string, PropertyDraft>>;
}
interface PropertyDraft {
  /** True if the property is part of the input; always true for a required one. */
  readonly isGiven: boolean;
  readonly draft: FormDraft | undefined;
}
export interface ListDraft {
  readonly items: readonly FormDraft[];
}
export interface UnionDraft {
  readonly branch: number;
  /** By branch, so that switching loses nothing. */
  readonly drafts: Readonly<Record<number, FormDraft>>;
}

/** Maximum number of entries that a blank form shows. */
const MAX_BLANK_ITEMS = 20;

/** Returns the initial draft of a field: the schema's default, or blank. */
export function blankDraft(field: FormField, resolver: SchemaResolver, depth: number): FormDraft {
  // A schema is JSON, and so is its default.
  const given = field.schema.default as JSONValue | undefined;
  const fromDefault = given === undefined ? undefined : toDraft(field, given, resolver, depth);
  return fromDefault ?? nothing(field, resolver, depth);
}

function nothing(field: FormField, resolver: SchemaResolver, depth: number): FormDraft {
  switch (field.kind) {
    case 'choice':
      return field.options.length === 1 ? '0' : '';
    case 'object':
      return { parts: {} };
    case 'list': {
      const { minItems } = field.schema;
      const length = typeof minItems === 'number' ? Math.min(minItems, MAX_BLANK_ITEMS) : 0;
      const item = toFormField(field.item, resolver, depth + 1);
      return { items: Array.from({ length }, () => blankDraft(item, resolver, depth + 1)) };
    }
    case 'union': {
      const branch = field.branches.findIndex(({ schema }) => schema.type !== 'null');
      return { branch: Math.max(0, branch), drafts: {} };
    }
    case 'json':
      // The input of every tool is an object.
      return depth === 0 ? '{}' : '';
    default:
      return '';
  }
}

/** Returns the draft of a property. */
export function propertyDraft(
  { parts }: ObjectDraft,
  { name, schema, isRequired }: FieldProperty,
  resolver: SchemaResolver,
  depth: number,
) {
  const field = toFormField(schema, resolver, depth + 1, name);
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
  const isGiven = isRequired || (part?.isGiven ?? field.schema.default !== undefined);
  const own = part?.draft;
  return { field, isGiven, isTouched: own !== undefined, draft: own ?? blankDraft(field, resolver, depth + 1) };
}

/** Returns the draft of the selected branch. */
export function branchDraft(
  field: FormFieldOf<'union'>,
  { branch, drafts }: UnionDraft,
  resolver: SchemaResolver,
  depth: number,
) {
  const own = toFormField(field.branches[branch]?.schema ?? {}, resolver, depth + 1);
  const typed = drafts[branch];
  return { field: own, isTouched: typed !== undefined, draft: typed ?? blankDraft(own, resolver, depth + 1) };
}

/** Converts a value to a draft; undefined if the form cannot represent all of it. */
export function toDraft(
  field: FormField,
  value: JSONValue,
  resolver: SchemaResolver,
  depth: number,
): FormDraft | undefined {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? value : undefined;
    case 'number':
      return typeof value === 'number' ? String(value) : undefined;
    case 'choice': {
      const index = field.options.findIndex((option) => equalJson(option, value));
      return index < 0 ? undefined : String(index);
    }
    case 'object':
      return isRecord(value) ? objectDraft(field, value as JSONObject, resolver, depth) : undefined;
    case 'list': {
      if (!Array.isArray(value)) return undefined;
      const item = toFormField(field.item, resolver, depth + 1);
      const items = value.map((each) => toDraft(item, each, resolver, depth + 1));
      return items.some((each) => each === undefined) ? undefined : { items: items as FormDraft[] };
    }
    case 'union':
      return unionDraft(field, value, resolver, depth);
    case 'json':
      return JSON.stringify(value, null, 2);
  }
}

function objectDraft(
  { properties }: FormFieldOf<'object'>,
  value: JSONObject,
  resolver: SchemaResolver,
  depth: number,
) {
  if (Object.keys(value).some((key) => !properties.some(({ name }) => name === key))) return undefined;
  const parts = properties.map(({ name, schema }): [string, PropertyDraft] | undefined => {
    const own = Object.hasOwn(value, name) ? value[name] : undefined;
    if (own === undefined) return [name, { isGiven: false, draft: undefined }];
    const draft = toDraft(toFormField(schema, resolver, depth + 1, name), own, resolver, depth + 1);
    return draft === undefined ? undefined : [name, { isGiven: true, draft }];
  });
  return parts.some((part) => !part) ? undefined : { parts: Object.fromEntries(parts as [string, PropertyDraft][]) };
}

function unionDraft({ branches }: FormFieldOf<'union'>, value: JSONValue, resolver: SchemaResolver, depth: number) {
  const drafts = branches.map(({ schema }) =>
    toDraft(toFormField(schema, resolver, depth + 1), value, resolver, depth + 1),
  );
  const fits = branches.findIndex(
    ({ schema }, at) => drafts[at] !== undefined && checkValue(schema, value, { resolver }).length === 0,
  );
  const branch = fits >= 0 ? fits : drafts.findIndex((draft) => draft !== undefined);
  const draft = drafts[branch];
  return draft === undefined ? undefined : { branch, drafts: { [branch]: draft } };
}
