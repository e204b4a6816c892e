import { checkValue, equalJson, isRecord, type SchemaResolver } from '../../../../core/index.ts';
import type { JSONObject, JSONValue } from '../../../../protocol/index.ts';
import { type FieldProperty, type FormField, type FormFieldOf, toFormField } from './field.ts';

/**
 * What stands in a form, valid or not: as typed for texts, numbers and JSON; the place of what is chosen, or nothing.
 * What has not been touched is missing and stands for `blank`.
 */
export type FormDraft = string | ObjectDraft | ListDraft | UnionDraft;

export interface ObjectDraft {
  readonly parts: Readonly<Record<string, PropertyDraft>>;
}
export interface PropertyDraft {
  /** What is not given is left out; what is required counts as given. */
  readonly isGiven: boolean;
  readonly draft: FormDraft | undefined;
}
export interface ListDraft {
  readonly items: readonly FormDraft[];
}
export interface UnionDraft {
  readonly branch: number;
  /** By place, so that nothing is lost by looking at another one. */
  readonly drafts: Readonly<Record<number, FormDraft>>;
}

/** The most entries that a form shows unasked. */
const MAX_BLANK_ITEMS = 20;

/** What a form begins with: the schema's default, and else nothing. */
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
    case 'union':
      return {
        branch: Math.max(
          0,
          field.branches.findIndex(({ schema }) => schema.type !== 'null'),
        ),
        drafts: {},
      };
    case 'json':
      // Every tool takes an object.
      return depth === 0 ? '{}' : '';
    default:
      return '';
  }
}

/** A property as it stands in a form. */
export function propertyDraft(
  { parts }: ObjectDraft,
  { name, schema, isRequired }: FieldProperty,
  resolver: SchemaResolver,
  depth: number,
) {
  const field = toFormField(schema, resolver, depth + 1, name);
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
  const isGiven = isRequired || (part?.isGiven ?? field.schema.default !== undefined);
  return { field, isGiven, draft: part?.draft ?? blankDraft(field, resolver, depth + 1) };
}

/** A branch as it stands in a form. */
export function branchDraft(
  field: FormFieldOf<'union'>,
  { branch, drafts }: UnionDraft,
  resolver: SchemaResolver,
  depth: number,
) {
  const own = toFormField(field.branches[branch]?.schema ?? {}, resolver, depth + 1);
  return { field: own, draft: drafts[branch] ?? blankDraft(own, resolver, depth + 1) };
}

/** A value as a form would show it; undefined where the form has no place for some of it. */
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
      const place = field.options.findIndex((option) => equalJson(option, value));
      return place < 0 ? undefined : String(place);
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
