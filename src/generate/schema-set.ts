import {
  createResolver,
  decodeFragment,
  isRecord,
  isSchema,
  type JSONSchema,
  listAt,
  mapSchemas,
  pointerKeys,
  pointerSegment,
  type SchemaResolver,
  toFragment,
  valueAt,
  withoutKeywords,
} from '../core/index.ts';
import { GenerateError, type JsonObject } from './load-spec.ts';

/** Schemas of a document as definitions, in which every reference has the form `#/definitions/NAME`. */
export interface SchemaSet {
  /** Definitions by name. Also contains the targets of references into other schemas, named by their pointer. */
  readonly definitions: { readonly [name: string]: unknown };
  /** Names of the definitions of the document. */
  readonly names: readonly string[];
  /** Pointer of those definitions in the document, such as `/components/schemas`. */
  readonly pointer: string;
  /** Resolves references between definitions. */
  readonly resolver: SchemaResolver;
  /** Returns a copy of a schema of the document that refers to definitions of the set. */
  add(schema: unknown): unknown;
}

/** Options of `createSchemaSet`. */
interface SchemaSource {
  readonly document: JsonObject;
  /** Pointer of the schemas by name, such as `/components/schemas`. */
  readonly pointer: string;
  /** Converts one schema, without its subschemas, before its references are changed. */
  readonly convert?: (schema: JSONSchema) => JSONSchema;
}

/** Keywords whose schemas apply to the same value. */
export const SAME_VALUE_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'];

export const referenceTo = (name: string): string => toFragment(`/definitions${pointerSegment(name)}`);

/** Inverse of `referenceTo`; undefined for a reference of another form, such as that of a dynamic anchor. */
export function definitionName(reference: unknown): string | undefined {
  if (typeof reference !== 'string' || !reference.startsWith('#/definitions/')) return undefined;
  const keys = pointerKeys(decodeFragment(reference.slice(1)));
  return keys?.length === 2 ? keys[1] : undefined;
}

/**
 * Creates the set of all named schemas of a document.
 *
 * @throws GenerateError if a reference has no target, or a schema contains only a reference to itself.
 */
export function createSchemaSet({ document, pointer, convert = (schema) => schema }: SchemaSource): SchemaSet {
  const named = valueAt(document, pointer);
  const names = Object.keys(isRecord(named) ? named : {});
  const known = new Set(names);
  /** References of the set, which the walk visits after they were changed. */
  const changed = new WeakSet<JSONSchema>();
  const definitions: Record<string, unknown> = Object.create(null);
  const define = (name: string, schema: unknown): void => {
    // First, because the schema may refer to itself.
    definitions[name] = true;
    definitions[name] = add(schema);
  };
  const localName = (reference: string): string => {
    const target = decodeFragment(reference.replace(/^#/, ''));
    const [name, ...deeper] = pointerKeys(target.slice(pointer.length)) ?? [];
    const isNamed = target.startsWith(`${pointer}/`);
    if (isNamed && name !== undefined && deeper.length === 0 && known.has(name)) return name;
    const lifted = target.slice(isNamed ? pointer.length + 1 : 1);
    if (Object.hasOwn(definitions, lifted)) return lifted;
    const schema = target.startsWith('/') ? valueAt(document, target) : undefined;
    if (!isSchema(schema)) throw new GenerateError(`the target of the reference ${reference} does not exist`);
    define(lifted, schema);
    return lifted;
  };
  const change = (given: JSONSchema): JSONSchema => {
    if (changed.has(given)) return given;
    const schema = convert(given);
    const { $ref, ...siblings } = schema;
    if (typeof $ref !== 'string') return schema;
    const reference = { $ref: referenceTo(localName($ref)) };
    changed.add(reference);
    // Draft 7 ignores keywords beside a reference. At the end, so that pointers to the others stay valid.
    return Object.keys(siblings).length === 0
      ? reference
      : { ...siblings, allOf: [...listAt(siblings, 'allOf'), reference] };
  };
  const add = (schema: unknown): unknown => (isRecord(schema) ? mapSchemas(schema, change) : schema);
  for (const name of names) define(name, (named as JsonObject)[name]);
  endInheritance(definitions);
  return { definitions, names, pointer, resolver: createResolver({ definitions }), add };
}

/** Definition that a schema refers to, and the outermost keyword that leads there. */
interface Reference {
  readonly name: string;
  readonly keyword: string;
}

/** References of each definition. */
export type ReferenceGraph = ReadonlyMap<string, readonly Reference[]>;

/** @param keywords keywords that are followed. */
export function graphOf(
  definitions: Readonly<Record<string, unknown>>,
  keywords: readonly string[] = SAME_VALUE_KEYWORDS,
): ReferenceGraph {
  const referencesOf = (schema: unknown, outermost?: string): Reference[] => {
    if (!isRecord(schema)) return [];
    const name = definitionName(schema.$ref);
    const own = name === undefined ? [] : [{ name, keyword: outermost ?? '$ref' }];
    const inner = keywords.flatMap((keyword) =>
      [schema[keyword]].flat().flatMap((part) => referencesOf(part, outermost ?? keyword)),
    );
    return [...own, ...inner];
  };
  return new Map(Object.entries(definitions).map(([name, schema]) => [name, referencesOf(schema)]));
}

/**
 * Ends inheritance in both directions: a parent that lists its children in `oneOf`, which refer to the parent in `allOf`.
 * Such schemas apply to each other without end; here, the children refer to the parent without that list.
 *
 * @throws GenerateError for other schemas that apply themselves to the same value.
 */
function endInheritance(definitions: Record<string, unknown>): void {
  const graph = graphOf(definitions);
  for (const name of graph.keys()) {
    const lists = loopKeywords(graph, name).filter((keyword) => keyword === 'oneOf' || keyword === 'anyOf');
    const schema = definitions[name];
    if (lists.length === 0 || !isRecord(schema)) continue;
    const base = `${name}/base`;
    definitions[base] = withoutKeywords(schema, ...lists);
    const children = [...graph.keys()].filter(
      (child) => child !== name && reaches(graph, child, name) && reaches(graph, name, child),
    );
    for (const child of children) {
      definitions[child] = mapSameValue(definitions[child], (part) =>
        definitionName(part.$ref) === name ? { ...part, $ref: referenceTo(base) } : part,
      );
    }
  }
  const ended = graphOf(definitions);
  const loop = [...ended.keys()].find((name) => loopKeywords(ended, name).length > 0);
  if (loop === undefined) return;
  throw new GenerateError(`invalid schema ${loop}: it refers to itself for the same value; remove that reference`);
}

/** Returns the keywords of a definition that lead back to it for the same value. */
const loopKeywords = (graph: ReferenceGraph, name: string): string[] =>
  (graph.get(name) ?? [])
    .filter((next) => next.name === name || reaches(graph, next.name, name))
    .map(({ keyword }) => keyword);

/** Returns true if one definition leads to another one. */
export function reaches(graph: ReferenceGraph, from: string, to: string): boolean {
  const open = new Set([from]);
  for (const name of open) {
    for (const next of graph.get(name) ?? []) {
      if (next.name === to) return true;
      open.add(next.name);
    }
  }
  return false;
}

function mapSameValue(schema: unknown, change: (schema: JSONSchema) => JSONSchema): unknown {
  if (!isRecord(schema)) return schema;
  const copy: Record<string, unknown> = { ...change(schema) };
  for (const keyword of SAME_VALUE_KEYWORDS) {
    const value = copy[keyword];
    if (Array.isArray(value)) copy[keyword] = value.map((part) => mapSameValue(part, change));
    else if (isRecord(value)) copy[keyword] = mapSameValue(value, change);
  }
  return copy;
}
