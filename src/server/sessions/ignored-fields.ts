import { OrsError } from '../../protocol/index.ts';

/** They go into a header, percent-encoded, and clients take only so much of those. */
const [MAX_FIELDS, MAX_LENGTH] = [10, 30];

const MOST_UNKNOWN = 100;

const FIELDS = ['env_name', 'task_spec', 'split', 'index', 'secrets'];

/**
 * The fields of a `/create` body that have no effect here; clients of other platforms send some.
 *
 * @throws OrsError bad_request for one that looks like a known field misspelt.
 */
export function ignoredFields(body: object): string[] {
  const unknown = Object.keys(body).filter((field) => !FIELDS.includes(field));
  if (unknown.length > MOST_UNKNOWN) {
    throw new OrsError('bad_request', `the body has ${unknown.length} fields that this request does not have`);
  }
  for (const field of unknown) {
    const meant = FIELDS.find((known) => distance(field.toLowerCase(), known) <= 2);
    if (meant)
      throw new OrsError(
        'bad_request',
        `body.${field.slice(0, 100)} is not a field of this request; did you mean '${meant}'?`,
      );
  }
  return unknown
    .slice(0, MAX_FIELDS)
    .map((field) => [...field.slice(0, 2 * MAX_LENGTH)].slice(0, MAX_LENGTH).join('').toWellFormed());
}

/** How many letters have to be added, taken, changed or swapped with their neighbour. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      rows[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (same ? 0 : 1), swapped));
    }
  }
  return at(a.length, b.length);
}
