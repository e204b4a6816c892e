import type { Group } from '../../../../generated/trace.ts';
import { buildHref } from '../shell/location.ts';

type GroupLinkParams = Pick<Group, 'run' | 'group_id' | 'environment' | 'split' | 'task_key' | 'step'>;

/** The page of a group: what names it stands in the address, what it has not is left out. */
export function groupHref({ run, group_id, environment, split, task_key, step }: GroupLinkParams): string {
  const named = Object.entries({ run, group_id, environment, split, task_key, step });
  return buildHref({ view: 'group', ...Object.fromEntries(named.filter(([, value]) => value !== null)) });
}
