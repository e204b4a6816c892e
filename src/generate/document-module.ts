import type { JsonObject } from './load-spec.ts';

/** A document as a module, so that neither a browser nor a bundler has to read files. */
export const documentModule = (document: JsonObject, what: string): string =>
  `/** ${what}, its file references bundled in. */\nexport const document: { readonly [key: string]: unknown } = ${literal(document)};\n`;

/** Returns a value as a JavaScript literal; `__proto__` is written so that it stays a member. */
const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(/^(\s*)"__proto__":/gm, '$1["__proto__"]:');
