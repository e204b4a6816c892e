import { isRecord } from '../../core/index.ts';
import type { TraceJob } from './job.ts';

/** The most characters of a request that stands for several jobs. */
export const MAX_LENGTH = 1024 * 1024;

/**
 * What goes next, in one request: the creation of a trace alone; or blocks, past changes of the trace between them, which
 * may wait; or changes.
 *
 * @param max so many at most.
 */
export function nextRequest(queue: readonly TraceJob[], max: number): TraceJob[] {
  const jobs: TraceJob[] = [];
  const kind = queue[0]?.kind;
  let length = 0;
  for (const job of queue) {
    if (kind === 'block' && job.kind === 'patch') continue;
    length += job.size;
    if (jobs.length > 0 && (job.kind !== kind || kind === 'create' || length > MAX_LENGTH)) break;
    jobs.push(job);
    if (jobs.length >= max) break;
  }
  return jobs;
}

/**
 * The first of these changes of a trace as one that does the same, and how many it stands for: those that give no field
 * two values. So it is refused if and only if one of them is.
 */
export function joinPatches([first = '', ...others]: readonly string[]): {
  readonly text: string;
  readonly count: number;
} {
  const joined = others.length > 0 ? fieldsOf(first) : undefined;
  if (!joined) return { text: first, count: 1 };
  let count = 1;
  for (const text of others) {
    const fields = fieldsOf(text);
    if (!fields || [...fields].some(([field, value]) => (joined.get(field) ?? value) !== value)) break;
    for (const [field, value] of fields) joined.set(field, value);
    count++;
  }
  const members = [...joined].map(([field, value]) => `${JSON.stringify(field)}:${value}`);
  return { text: `{${members.join(',')}}`, count };
}

/** The fields of a change, each as JSON; undefined for what no store takes. */
function fieldsOf(text: string): Map<string, string> | undefined {
  const patch: unknown = JSON.parse(text);
  if (!isRecord(patch) || Object.keys(patch).length === 0) return undefined;
  return new Map(Object.entries(patch).map(([field, value]) => [field, JSON.stringify(value)]));
}
