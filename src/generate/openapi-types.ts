import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { GlobalContext, OpenAPI3, SchemaObject } from 'openapi-typescript';
import type { TypeNode } from 'typescript';
import {
  asSchema,
  claimName,
  fieldsOf,
  isRecord,
  type JSONSchema,
  loadOptionalPackage,
  mapSchemas,
  pointerSegment,
  toFragment,
} from '../core/index.ts';
import { toTypeName } from './generated-file.ts';
import { GenerateError, type JsonObject } from './load-spec.ts';
import { dereferenced, METHODS, parameterSchema, type SpecOperation } from './operations.ts';
import { definitionName, graphOf, reaches, SAME_VALUE_KEYWORDS, type SchemaSet } from './schema-set.ts';
import { annotationsOf, anyOf, TypeSchemas } from './type-schemas.ts';

/** Names that the generated module uses itself. */
const TAKEN = ['paths', 'webhooks', 'components', 'operations', '$defs', 'Object', 'Record'];
/** Members whose keys are names. */
const BY_NAME = new Set(['content', 'headers', 'parameters', 'pathItems', 'requestBodies', 'responses', 'webhooks']);

/** Generates the types `paths`, `components` and `operations` of an OpenAPI document, by openapi-typescript. */
export async function openapiTypes(
  document: JsonObject,
  set: SchemaSet,
  operations: readonly SpecOperation[],
): Promise<string> {
  const { factory, SyntaxKind } = await loadCompiler();
  const { addJSDocComment, astToString, resolveRef, transformSchema, transformSchemaObject } =
    await loadOptionalPackage('openapi-typescript', 'ors generate', () => import('openapi-typescript'));
  const schemas = new OpenapiSchemas(set);
  const prepared = prepare(document, set, operations, schemas);
  const context: Partial<GlobalContext> = {
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    discriminators: { objects: {}, refsHandled: [] },
    injectFooter: [],
    resolve: ($ref) => resolveRef(prepared, $ref, { silent: true }),
    transform(given: object) {
      const { tsType, items, additionalItems, minItems } = fieldsOf(given);
      if (typeof tsType === 'string') return factory.createTypeReferenceNode(tsType);
      if (!Array.isArray(items)) return undefined;
      const elements = items.map((item, index) =>
        index < Number(minItems) ? typeOf(item) : factory.createOptionalTypeNode(typeOf(item)),
      );
      if (additionalItems === false) return factory.createTupleTypeNode(elements);
      const rest = factory.createRestTypeNode(factory.createArrayTypeNode(typeOf(additionalItems)));
      return factory.createTupleTypeNode([...elements, rest]);
    },
  };
  // Options that are missing are off.
  const ctx = context as GlobalContext;
  const typeOf = (schema: unknown): TypeNode => transformSchemaObject(schema as SchemaObject, { ctx });
  // The default export of the package would check and bundle the document again.
  const nodes = transformSchema(prepared as unknown as OpenAPI3, ctx);
  const declarations = [];
  // Writing an alias may find others.
  for (const [definition, alias] of schemas.aliases) {
    const schema = schemas.prepare(set.definitions[definition]);
    const modifiers = [factory.createModifier(SyntaxKind.ExportKeyword)];
    const declaration = factory.createTypeAliasDeclaration(modifiers, alias, undefined, typeOf(schema));
    // The package names another type of node, but accepts any.
    addJSDocComment(schema as SchemaObject, declaration as never);
    declarations.push(declaration);
  }
  return astToString([...declarations, ...nodes]);
}

/** Rewrites schemas for openapi-typescript. */
class OpenapiSchemas {
  /** Names of the types of definitions that cannot be members of `components`, as far as they are used. */
  readonly aliases = new Map<string, string>();
  readonly #set: SchemaSet;
  readonly #types: TypeSchemas;
  readonly #inComponents: ReadonlySet<string>;
  readonly #taken = new Set(TAKEN);

  constructor(set: SchemaSet) {
    this.#set = set;
    this.#types = new TypeSchemas(set);
    // TypeScript accepts a type that contains itself only as an alias, or within the property of an object.
    const graph = graphOf(set.definitions, [...SAME_VALUE_KEYWORDS, 'items', 'prefixItems', 'additionalItems']);
    this.#inComponents = new Set(set.names.filter((name) => !reaches(graph, name, name)));
  }

  /** Rewrites a schema of the set. */
  prepare(schema: unknown): JSONSchema {
    return mapSchemas(this.#types.simplify(schema), (part) => {
      const definition = definitionName(part.$ref);
      if (definition !== undefined) return this.#reference(definition);
      const { properties, additionalProperties: others } = part;
      if (!isRecord(properties) || !isRecord(others)) return part;
      // TypeScript checks declared properties against the type of all others too.
      return { ...part, additionalProperties: anyOf([others, ...Object.values(properties).map(asSchema)]) };
    });
  }

  /** Returns the member `schemas` of `components`. */
  components(): JsonObject {
    const members = this.#set.names.map((name) => {
      const schema = this.#set.definitions[name];
      const isMember = this.#inComponents.has(name);
      return [name, isMember ? this.prepare(schema) : { ...annotationsOf(schema), ...this.#reference(name) }];
    });
    return Object.fromEntries(members);
  }

  #reference(definition: string): JSONSchema {
    if (this.#inComponents.has(definition)) {
      return { $ref: toFragment(`/components/schemas${pointerSegment(definition)}`) };
    }
    const known = this.aliases.get(definition);
    const alias = known ?? claimName(toTypeName(definition), this.#taken, { separator: '' });
    this.aliases.set(definition, alias);
    return { type: 'object', tsType: alias };
  }
}

/** Copies the parts of a document that have types, with rewritten schemas and with the names of the operations. */
function prepare(
  document: JsonObject,
  set: SchemaSet,
  operations: readonly SpecOperation[],
  schemas: OpenapiSchemas,
): JsonObject {
  const ids = new Map(operations.map(({ id, method, path }) => [`${method} ${path}`, id]));
  const copyOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copyOf);
    if (!isRecord(value)) return value;
    const given = 'in' in value ? { ...value, schema: parameterSchema(value) } : value;
    return Object.fromEntries(Object.entries(given).map(([key, member]) => [key, memberOf(key, member)]));
  };
  const memberOf = (key: string, member: unknown): unknown => {
    if (key === 'schema' && member !== undefined) return schemas.prepare(set.add(member));
    if (['callbacks', 'example', 'examples', 'links'].includes(key)) return member;
    return BY_NAME.has(key) && isRecord(member) ? mapRecords(member, copyOf) : copyOf(member);
  };
  const pathItem = (value: JsonObject, path: string): unknown =>
    copyOf(
      Object.fromEntries(
        Object.entries(fieldsOf(dereferenced(document, value))).map(([key, member]) => {
          const operationId = ids.get(`${key} ${path}`);
          return [key, METHODS.some((each) => each === key) ? { ...fieldsOf(member), operationId } : member];
        }),
      ),
    );
  const { pathItems, ...components } = fieldsOf(document.components);
  const sections = Object.entries(components).filter(([key]) => BY_NAME.has(key));
  return {
    paths: mapRecords(document.paths, pathItem),
    webhooks: mapRecords(document.webhooks, (item, name) => pathItem(item, `webhook ${name}`)),
    components: {
      schemas: schemas.components(),
      ...fieldsOf(copyOf(Object.fromEntries(sections))),
      pathItems: mapRecords(pathItems, (item, name) => pathItem(item, `item ${name}`)),
    },
  };
}

/** Maps the members of an object by name; leaves out what is not an object, such as the text of an extension. */
function mapRecords(value: unknown, map: (member: JsonObject, name: string) => unknown): JsonObject {
  const records = Object.entries(fieldsOf(value)).flatMap(([name, member]) =>
    isRecord(member) ? [[name, map(member, name)] as const] : [],
  );
  return Object.fromEntries(records);
}

/**
 * Loads the compiler that openapi-typescript uses. The project may have another version, and syntax trees of two versions
 * do not fit together.
 *
 * @throws GenerateError if that version has no compiler API.
 */
export async function loadCompiler(): Promise<typeof import('typescript')> {
  const generator = await loadOptionalPackage('openapi-typescript', 'ors generate', async () =>
    import.meta.resolve('openapi-typescript'),
  );
  const { default: ts } = await loadOptionalPackage('typescript', 'ors generate', () => {
    return import(pathToFileURL(createRequire(generator).resolve('typescript')).href);
  });
  if (ts?.factory) return ts;
  throw new GenerateError(
    `invalid TypeScript of openapi-typescript: expected version 5, got ${ts?.version}; install both without --legacy-peer-deps`,
  );
}
