import { isRecord } from '../../../core/index.ts';
import { assume, assumeApplicable } from '../../assertions.ts';
import type { Probe, RequestOptions } from '../../probe/index.ts';
import type { DiscoveredEnvironment, DiscoveredSplit } from '../../target.ts';

/** Larger splits are not listed. */
export const MAX_LISTED = 1_000;

export const NO_ENVIRONMENT = 'conformance-no-such-environment';
export const NO_SPLIT = 'conformance-no-such-split';
export const NO_SESSION = 'conformance-no-such-session';

/** A valid request of a discovery route of an environment. */
export interface DiscoveryRequest {
  readonly method: 'GET' | 'POST';
  readonly action: string;
  readonly json?: Readonly<Record<string, unknown>>;
}

/** Returns requests of the six discovery routes; those about tasks only if there are tasks, /tasks only if listable. */
export function discoveryRequests(split: DiscoveredSplit | undefined): DiscoveryRequest[] {
  const lists: DiscoveryRequest[] = [
    { method: 'GET', action: 'tools' },
    { method: 'GET', action: 'splits' },
  ];
  if (!split) return lists;
  const tasks: DiscoveryRequest[] = [
    { method: 'POST', action: 'tasks', json: { split: split.name } },
    { method: 'POST', action: 'num_tasks', json: { split: split.name } },
    { method: 'POST', action: 'task', json: { split: split.name, index: 0 } },
    { method: 'POST', action: 'task_range', json: { split: split.name, start: 0, stop: 1 } },
  ];
  return [...lists, ...tasks.filter(({ action }) => action !== 'tasks' || isListable(split))];
}

/** Returns whether a split is known to be small enough for /tasks. */
export const isListable = (split: DiscoveredSplit | undefined): boolean =>
  split?.count !== undefined && split.count <= MAX_LISTED;

/** Returns the options of a request whose JSON body is written as text, because no serializer produces it. */
export const jsonText = (text: string): RequestOptions => ({
  body: text,
  headers: [['Content-Type', 'application/json']],
});

/** Fetches the tools of an environment that are objects. */
export async function listedTools(probe: Probe, { name }: DiscoveredEnvironment): Promise<Record<string, unknown>[]> {
  const path = probe.path('tools', name);
  const { json } = (await probe.send('GET', path, { follow: true })).requireSuccess(`GET ${path}`);
  return isRecord(json) && Array.isArray(json.tools) ? json.tools.filter(isRecord) : [];
}

/** A split with at least one task, as /tasks lists it. */
export interface SplitListing {
  readonly environment: string;
  readonly split: string;
  readonly tasks: readonly unknown[];
}

/** Lists the smallest split with tasks of each environment. @throws UntestableError if none can be listed */
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
