import { type JsonObject, literal } from './json.ts';

/** A document as a module, so that neither a browser nor a bundler has to read files. */
export const documentModule = (document: JsonObject, what: string): string =>
  `/** ${what}, its file references bundled in. */\nexport const document: { readonly [key: string]: unknown } = ${literal(document)};\n`;
