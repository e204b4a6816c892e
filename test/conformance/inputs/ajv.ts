import { isDeepStrictEqual } from 'node:util';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvEqual from 'ajv/dist/runtime/equal.js';
import ajvFormats from 'ajv-formats';
import { OWN_PROPERTY_OPTIONS, withProtoPatterns } from '../../../src/core/index.ts';

/** Returns a validator that is independent of the suite. */
export function validator(schema: unknown, isDraft7 = JSON.stringify(schema).includes('/draft-0')) {
  const { $schema, ...rest } = Object(schema) as Record<string, unknown>;
  const ajv = new (isDraft7 ? Ajv : Ajv2020)({
    strict: false,
    logger: false,
    unicodeRegExp: false,
    ...OWN_PROPERTY_OPTIONS,
    code: { ...OWN_PROPERTY_OPTIONS.code, optimize: false }, // with it, some code names variables that it lacks
  });
  // The function of ajv calls methods of the data, such as `toString`.
  ajv.scope.value('func', { key: ajvEqual.default, ref: isDeepStrictEqual });
  ajvFormats.default(ajv);
  return ajv.compile(schema === false ? false : withProtoPatterns(rest));
}
