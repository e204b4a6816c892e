import type { Group } from '../../../../generated/trace.ts';
import { href } from '../shell/location.ts';

type Named = Pick<Group, 'run' | 'group_id' | 'environment' | 'split' | 'task_key' | 'step'>;

/** The page of a group: what names it stands in the address, what it has not is left out. */
export function groupLink({ run, group_id, environment, split, task_key, step }: Named): string {
  const named = Object.entries({ run, group_id, environment, split, task_key, step });
  return href({ view: 'group', ...Object.fromEntries(named.filter(([, value]) => value !== null)) });
}
