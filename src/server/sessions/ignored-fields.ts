import { editDistance, truncate, wellFormedPrefix } from '../../core/index.ts';
import { OrsError } from '../../protocol/index.ts';

/** They go into a header, percent-encoded, and clients take only so much of those. */
const [MAX_FIELDS, MAX_LENGTH] = [10, 30];

const MAX_UNKNOWN_FIELDS = 100;

const FIELDS = ['env_name', 'task_spec', 'split', 'index', 'secrets'];

/**
 * The fields of a `/create` body that have no effect here; clients of other platforms send some.
 *
 * @throws OrsError bad_request for one that looks like a known field misspelt.
 */
export function ignoredFields(body: object): string[] {
  const unknown = Object.keys(body).filter((field) => !FIELDS.includes(field));
  if (unknown.length > MAX_UNKNOWN_FIELDS) {
    throw new OrsError('bad_request', `the body has ${unknown.length} fields that this request does not have`);
  }
  for (const field of unknown) {
    const meant = FIELDS.find((known) => editDistance(field.toLowerCase(), known, 2) <= 2);
    if (meant !== undefined)
      throw new OrsError(
        'bad_request',
        `body.${truncate(field, 100)} is not a field of this request; did you mean '${meant}'?`,
      );
  }
  return unknown.slice(0, MAX_FIELDS).map((field) => wellFormedPrefix(field, MAX_LENGTH).toWellFormed());
}
