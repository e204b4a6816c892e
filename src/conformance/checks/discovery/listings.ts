import { isRecord } from '../../../core/index.ts';
import type { Probe } from '../../probe/index.ts';
import { assume, assumeApplicable } from '../../verdict.ts';
import { isListable, MAX_LISTED } from './requests.ts';

/** The tasks of a split, as /tasks lists them; at least one. */
export interface SplitListing {
  readonly environment: string;
  readonly split: string;
  readonly tasks: readonly unknown[];
}

/** The smallest split with tasks of each environment; untestable if none of them can be listed. */
export async function collectSplitListings(probe: Probe): Promise<SplitListing[]> {
  const { environments } = probe.target;
  assumeApplicable(
    environments.some(({ splits }) => splits.some(({ count }) => count !== 0)),
    'no environment has a task',
  );
  const found: SplitListing[] = [];
  const reasons: string[] = [];
  for (const { name, split } of environments) {
    if (!split) continue;
    if (!isListable(split)) {
      reasons.push(`split '${split.name}' of '${name}' is not known to have at most ${MAX_LISTED} tasks`);
      continue;
    }
    const path = probe.path('tasks', name);
    const response = await probe.send('POST', path, { json: { split: split.name }, follow: true });
    const { json } = response;
    const tasks = response.isSuccess && isRecord(json) && Array.isArray(json.tasks) ? json.tasks : [];
    if (tasks.length > 0) found.push({ environment: name, split: split.name, tasks });
    else reasons.push(`POST ${path} listed no tasks of '${split.name}': ${response.summary}`);
  }
  assume(found.length > 0, reasons.join('; ') || 'no environment has a split');
  return found;
}
