import { fieldsOf, isRecord, previewJson } from '../../../core/index.ts';
import { assume, assumeApplicable } from '../../assertions.ts';
import { JSON_TYPE, type Probe, type RequestOptions } from '../../probe/index.ts';
import type { DiscoveredEnvironment, DiscoveredSplit } from '../../target.ts';
import { assertClientError } from '../responses.ts';

/** Larger splits are not listed. */
export const MAX_LISTED = 1_000;

export const NO_ENVIRONMENT = 'conformance-no-such-environment';
export const NO_SPLIT = 'conformance-no-such-split';
export const NO_SESSION = 'conformance-no-such-session';

/** A valid request of a discovery route of an environment. */
interface DiscoveryRequest {
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
  const json = { split: split.name };
  const tasks: DiscoveryRequest[] = [
    { method: 'POST', action: 'tasks', json },
    { method: 'POST', action: 'num_tasks', json },
    { method: 'POST', action: 'task', json: { ...json, index: 0 } },
    { method: 'POST', action: 'task_range', json: { ...json, start: 0, stop: 1 } },
  ];
  return [...lists, ...tasks.filter(({ action }) => action !== 'tasks' || isListable(split))];
}

/** Returns requests of health and discovery, each with an optional session id; `what` is method and path. */
export function sessionlessRequests(probe: Probe) {
  const fixed = ['/health', '/list_environments'].map((path) => ({ method: 'GET', path, json: undefined }));
  const own = discoveryRequests(probe.environment.split).map(({ method, action, json }) => {
    return { method, path: probe.path(action), json };
  });
  return [...fixed, ...own].map(({ method, path, json }) => ({
    what: `${method} ${path}`,
    send: (sid?: string) => probe.send(method, path, { json, follow: true, ...(sid !== undefined && { sid }) }),
  }));
}

/** Asserts that a discovery route rejects each of these bodies with a 4xx status. */
export async function assertBodiesRejected(probe: Probe, action: string, bodies: readonly object[]): Promise<void> {
  for (const json of bodies) {
    const response = await probe.discover(action, json);
    assertClientError(response, `POST ${probe.path(action)} with ${previewJson(json)}`);
  }
}

/** Returns whether a split is known to be small enough for /tasks. */
export const isListable = (split: DiscoveredSplit | undefined): boolean =>
  split?.count !== undefined && split.count <= MAX_LISTED;

/** Returns the options of a request whose JSON body is written as text, because no serializer produces it. */
export const jsonText = (text: string): RequestOptions => ({ body: text, headers: [JSON_TYPE], follow: true });

/** Fetches the tools of an environment that are objects. */
export async function listedTools(probe: Probe, { name }: DiscoveredEnvironment): Promise<Record<string, unknown>[]> {
  const response = await probe.discover('tools', undefined, name);
  const { tools } = fieldsOf(response.requireSuccess(`GET ${probe.path('tools', name)}`).json);
  return Array.isArray(tools) ? tools.filter(isRecord) : [];
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
  const hasTask = environments.some(({ splits }) => splits.some(({ count }) => count !== 0));
  assumeApplicable(hasTask, 'no environment has a task');
  const found: SplitListing[] = [];
  const reasons: string[] = [];
  for (const { name, split } of environments) {
    if (!split) continue;
    if (!isListable(split)) {
      reasons.push(`split '${split.name}' of '${name}' is not known to have at most ${MAX_LISTED} tasks`);
      continue;
    }
    const response = await probe.discover('tasks', { split: split.name }, name);
    const { tasks } = fieldsOf(response.json);
    if (response.isSuccess && Array.isArray(tasks) && tasks.length > 0)
      found.push({ environment: name, split: split.name, tasks });
    else reasons.push(`POST ${probe.path('tasks', name)} listed no tasks of '${split.name}': ${response.summary}`);
  }
  assume(found.length > 0, reasons.join('; ') || 'no environment has a split');
  return found;
}
