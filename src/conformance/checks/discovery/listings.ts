import { isRecord } from '../../../core/index.ts';
import type { Probe } from '../../probe/index.ts';
import { applies, given } from '../../verdict.ts';
import { isSmall, MOST_LISTED } from './requests.ts';

/** The tasks of a split, as /tasks lists them; at least one. */
export interface Listing {
  readonly environment: string;
  readonly split: string;
  readonly tasks: readonly unknown[];
}

/** The smallest split with tasks of each environment; untestable if none of them can be listed. */
export async function listings(probe: Probe): Promise<Listing[]> {
  const { environments } = probe.target;
  applies(
    environments.some(({ splits }) => splits.some(({ count }) => count !== 0)),
    'no environment has a task',
  );
  const found: Listing[] = [];
  const reasons: string[] = [];
  for (const { name, split } of environments) {
    if (!split) continue;
    if (!isSmall(split)) {
      reasons.push(`split '${split.name}' of '${name}' is not known to have at most ${MOST_LISTED} tasks`);
      continue;
    }
    const path = probe.path('tasks', name);
    const answer = await probe.send('POST', path, { json: { split: split.name }, follow: true });
    const { json } = answer;
    const tasks = answer.isSuccess && isRecord(json) && Array.isArray(json.tasks) ? json.tasks : [];
    if (tasks.length > 0) found.push({ environment: name, split: split.name, tasks });
    else reasons.push(`POST ${path} listed no tasks of '${split.name}': ${answer.summary}`);
  }
  given(found.length > 0, reasons.join('; ') || 'no environment has a split');
  return found;
}
