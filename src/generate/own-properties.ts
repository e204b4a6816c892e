import { _, Ajv, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvEqual from 'ajv/dist/runtime/equal.js';
import { equalJson, withOwnLookups } from '../core/index.ts';

/** Names that every object inherits, as JSON. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype).map((name) => JSON.stringify(name));

/** Creates an instance of ajv for schemas whose properties may have names of `Object.prototype`. */
export function createAjv(draft07: boolean, options: Options, schemas: object): Ajv {
  const json = JSON.stringify(schemas);
  // The checks of own properties make a validator larger, and only these names need them.
  const ownProperties = INHERITED.some((name) => json.includes(name));
  const ajv = draft07 ? new Ajv({ ...options, ownProperties }) : new Ajv2020({ ...options, ownProperties });
  ajv.scope.value('func', { key: ajvEqual.default, ref: equalJson, code: _`equal` });
  return ajv;
}

/**
 * Changes a generated module so that it finds only own properties, and adds the function that compares values. In an
 * object literal, `__proto__` must be a computed key; within texts, its quotes are escaped.
 */
export function withOwnProperties(module: string): string {
  const own = withOwnLookups(module).replaceAll(/(?<=[{,]\s*)"__proto__":/g, '["__proto__"]:');
  return / = equal;$/m.test(own) ? own + EQUAL : own;
}

/** Compares JSON values. That of ajv calls `valueOf` and `toString` of the data. */
const EQUAL = `
function equal(one, other) {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  const isOwn = (key) => Object.prototype.hasOwnProperty.call(other, key);
  return keys.length === Object.keys(other).length && keys.every((key) => isOwn(key) && equal(one[key], other[key]));
}
`;
