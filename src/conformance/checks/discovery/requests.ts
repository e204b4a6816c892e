import { isRecord } from '../../../core/index.ts';
import type { Probe, RequestOptions } from '../../probe/index.ts';
import type { DiscoveredEnvironment, DiscoveredSplit } from '../../target.ts';

/** Larger lists are not asked for. */
export const MAX_LISTED = 1_000;

export const NO_ENVIRONMENT = 'conformance-no-such-environment';
export const NO_SPLIT = 'conformance-no-such-split';
export const NO_SESSION = 'conformance-no-such-session';

/** A request of one of the discovery routes of an environment. */
export interface DiscoveryRequest {
  readonly method: 'GET' | 'POST';
  readonly action: string;
  readonly json?: Readonly<Record<string, unknown>>;
}

/** The six discovery routes, as they are used: those of tasks where there are any, /tasks where it will not be long. */
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

/** Whether all tasks of a split may be listed. */
export const isListable = (split: DiscoveredSplit | undefined): boolean =>
  split?.count !== undefined && split.count <= MAX_LISTED;

/** JSON text that no serializer writes. */
export const jsonText = (text: string): RequestOptions => ({
  body: text,
  headers: [['Content-Type', 'application/json']],
});

/** The tools that an environment lists, as far as they are objects. */
export async function listedTools(probe: Probe, { name }: DiscoveredEnvironment): Promise<Record<string, unknown>[]> {
  const path = probe.path('tools', name);
  const { json } = (await probe.send('GET', path, { follow: true })).requireSuccess(`GET ${path}`);
  return isRecord(json) && Array.isArray(json.tools) ? json.tools.filter(isRecord) : [];
}
