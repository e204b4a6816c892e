import { errorMessage, jsonProblem, type Redactor } from '../../core/index.ts';
import { TraceError } from './trace-error.ts';

/**
 * JSON text with the secrets masked.
 *
 * @param checked fields in which nothing may get lost on the way to JSON.
 * @throws TraceError NOT_JSON that names the place.
 */
export function toJson(value: object, redactor: Redactor, checked: Readonly<Record<string, unknown>>): string {
  for (const [field, part] of Object.entries(checked)) {
    const problem = part === undefined ? undefined : jsonProblem(part, field);
    if (problem) throw new TraceError('NOT_JSON', `${problem}, which JSON cannot hold`);
  }
  try {
    return JSON.stringify(value, redactor.replacer);
  } catch (cause) {
    throw new TraceError('NOT_JSON', `what was logged is no JSON: ${errorMessage(cause)}`, { cause });
  }
}
