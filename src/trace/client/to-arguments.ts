import type { JSONObject } from '../../../generated/trace.ts';
import { parseArguments } from '../model/index.ts';

/** Arguments as a model wrote them: an object; none for an empty text; `{"$invalid_json": text}` for any other text. */
export function normalizeArguments(given: JSONObject | string): JSONObject {
  if (typeof given !== 'string') return given;
  if (given.trim() === '') return {};
  return parseArguments(given).value ?? { $invalid_json: given };
}
