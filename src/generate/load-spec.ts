import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import {
  createResolver,
  errorCode,
  errorMessage,
  findCircularReference,
  hasCode,
  isRecord,
  loadOptionalPackage,
  schemasIn,
  withoutByteOrderMark,
} from '../core/index.ts';

/** Violations of OpenAPI that are not ambiguous. */
const HARMLESS = /is not expected here|`nullable` field is used/;

const SCHEMA_KEYWORDS = ['$schema', '$defs', 'definitions', 'properties', 'type', 'allOf', 'anyOf', 'oneOf', 'enum'];

/**
 * Files cannot be generated; the message is meant for the user.
 *
 * @example
 * if (error instanceof GenerateError) console.error(error.message);
 */
export class GenerateError extends Error {
  override readonly name = 'GenerateError';
}

/** JSON object whose members are not validated. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Parsed specification. */
export interface LoadedSpec {
  readonly kind: 'openapi' | 'schema';
  /** File name without extensions: `ors` of `spec/ors.openapi.yaml`. */
  readonly name: string;
  /** File name for headers. */
  readonly file: string;
  /** Document with all references to files resolved. */
  readonly document: JsonObject;
}

/**
 * Reads an OpenAPI 3 document or a JSON Schema, as YAML or JSON; detects the kind by the content.
 *
 * @throws GenerateError if the file cannot be read or parsed, or is of another kind.
 */
export async function loadSpec(path: string): Promise<LoadedSpec> {
  const file = basename(path);
  const name = file.replace(/\.(ya?ml|json)$/i, '').replace(/\.(openapi|schema)$/i, '');
  const document = await parse(path, await read(path));
  if ('swagger' in document) {
    throw new GenerateError(`this is Swagger ${document.swagger}; convert it to OpenAPI 3.1 first`);
  }
  const circular = findCircularReference(document);
  if (circular !== undefined) throw new GenerateError(`the $ref at ${circular} leads back to itself`);
  if ('openapi' in document) return { kind: 'openapi', name, file, document: await bundled(path, document) };
  if (!SCHEMA_KEYWORDS.some((keyword) => keyword in document)) {
    throw new GenerateError("neither an OpenAPI document (no 'openapi') nor a JSON Schema (no '$defs')");
  }
  const resolver = createResolver(document);
  for (const { schema } of schemasIn(document)) {
    const { $ref } = schema;
    if (typeof $ref !== 'string' || $ref.startsWith('#') || resolver.resolve($ref, schema)) continue;
    throw new GenerateError(`it refers to ${$ref}; move that schema to $defs of the same file`);
  }
  return { kind: 'schema', name, file, document };
}

async function read(path: string): Promise<string> {
  try {
    return withoutByteOrderMark(await readFile(path, 'utf8'));
  } catch (error) {
    const reason = hasCode(error, 'ENOENT') ? 'the file does not exist' : (errorCode(error) ?? errorMessage(error));
    throw new GenerateError(`cannot be read: ${reason}`, { cause: error });
  }
}

async function parse(path: string, text: string): Promise<JsonObject> {
  const { parseYaml } = await redocly();
  let document: unknown;
  try {
    document = /\.json$/i.test(path) ? JSON.parse(text) : parseYaml(text);
  } catch (error) {
    const [line] = errorMessage(error).split('\n');
    throw new GenerateError(`cannot be parsed: ${line}`, { cause: error });
  }
  if (!isRecord(document)) {
    throw new GenerateError('does not contain an object; an OpenAPI document begins with openapi: 3.1.0');
  }
  return document;
}

async function bundled(path: string, { openapi }: JsonObject): Promise<JsonObject> {
  if (typeof openapi !== 'string' || !/^3\.[01]\b/.test(openapi)) {
    throw new GenerateError(`unsupported version: expected openapi 3.0 or 3.1, got ${openapi}`);
  }
  const { bundle, createConfig, lint } = await redocly();
  const ref = resolve(path);
  const config = await createConfig({ rules: { struct: 'error', 'no-unresolved-refs': 'error' } });
  const problem = (await lint({ ref, config })).find(({ message }) => !HARMLESS.test(message));
  if (problem) {
    const [location] = problem.location;
    const file = location && location.source.absoluteRef !== ref ? `${basename(location.source.absoluteRef)} ` : '';
    throw new GenerateError(`${problem.message.replace(/\.$/, '')}, at ${file}${location?.pointer}`);
  }
  return (await bundle({ ref, config: await createConfig({}) })).bundle.parsed;
}

const redocly = () =>
  loadOptionalPackage('@redocly/openapi-core', 'ors generate', () => import('@redocly/openapi-core'));
