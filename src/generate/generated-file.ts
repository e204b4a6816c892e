import type { JsonObject } from './load-spec.ts';

/**
 * Generated file, not written yet.
 *
 * @example
 * const files: GeneratedFile[] = await generate('spec/shop.openapi.yaml');
 * const names = files.map(({ name }) => name);
 */
export interface GeneratedFile {
  /** File name inside of the output folder. */
  readonly name: string;
  readonly text: string;
}

/**
 * Options of `generate`.
 *
 * @example
 * await generate('spec/shop.openapi.yaml', { importSuffix: '.ts', validators: ['Order'] });
 */
export interface GenerateOptions {
  /** Base name of the files. @default the name of the specification without extensions: `ors` of `ors.openapi.yaml` */
  readonly name?: string;
  /** Extension in imports between generated files. @default '.js' */
  readonly importSuffix?: '.js' | '.ts' | '';
  /** Module from which the client imports the decoder of Server-Sent Events. @default 'ors-kit/openapi' */
  readonly eventsFrom?: string;
  /** Names of the schemas that get a validator. @default all */
  readonly validators?: readonly string[];
  /** Receives sentences for the user, such as the names of operations that got a number. @default ignores them */
  readonly onNotice?: (message: string) => void;
}

/** Returns the header of all files that are generated from a specification. */
export const headerFor = (file: string): string => `generated from ${file} by ors generate; never edit`;

/** Generates a module that exports a document, so that browsers and bundlers do not have to read files. */
export const documentModule = (document: JsonObject, title: string): string =>
  `/** ${title} with all references to files resolved. */\nexport const document: { readonly [key: string]: unknown } = ${literal(document)};\n`;

/** Formats JSON as a JavaScript literal, in which `__proto__` must be a computed key. */
const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(/^(\s*)"__proto__":/gm, '$1["__proto__"]:');

/** Converts `pet-store` to `PetStore`. */
export const toPascalCase = (name: string): string =>
  name.replaceAll(
    /(?:^|[^\p{L}\p{N}]+)([\p{L}\p{N}])?/gu,
    (_, letter: string | undefined) => letter?.toUpperCase() ?? '',
  );

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

export const propertyKey = (name: string): string => (IDENTIFIER.test(name) ? name : JSON.stringify(name));

/** Returns the name itself if it can be the name of a type, otherwise in Pascal case. */
export function toTypeName(name: string): string {
  if (IDENTIFIER.test(name)) return name;
  const words = toPascalCase(name);
  return IDENTIFIER.test(words) ? words : `_${words}`;
}
