import type { JSONObject } from '../../../generated/trace.ts';
import { isToolName } from '../model/index.ts';

/** A name as a model made it up: one that no store takes is `unnamed`, and stands in `extra.name`. */
export const toToolName = (name: string): { readonly name: string; readonly extra?: JSONObject } =>
  isToolName(name) ? { name } : { name: 'unnamed', extra: { name } };
