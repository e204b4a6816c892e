import { groupResults, matchesName } from '../../conformance/index.ts';
import { nearestName } from '../../core/index.ts';
import { unknownName } from '../remote/names.ts';
import { usageError } from './usage.ts';

/** What of a check can be named. */
export type NamedCheck = Parameters<typeof matchesName>[0];

/** Names of checks, groups or requirements, each of which there is. @throws Failure saying which there are. */
export function parseCheckNames(
  option: string,
  names: readonly string[],
  checks: readonly NamedCheck[],
): readonly string[] {
  for (const name of names) {
    if (!checks.some((check) => matchesName(check, [name])))
      throw usageError(`${option}: ${unknownCheck(name, checks)}`);
  }
  return names;
}

/** Says that there is no such check, which one may have been meant, and which groups there are. */
export function unknownCheck(name: string, checks: readonly NamedCheck[]): string {
  const groups = groupResults(checks.map(({ id }) => ({ check: id }))).map(({ group }) => group);
  const near = nearestName(name, [...checks.flatMap(({ id, requirement }) => [id, requirement]), ...groups]);
  if (near === undefined || groups.includes(near)) {
    return `${unknownName('check, group or requirement', name, groups)} --list shows all checks.`;
  }
  return `there is no check, group or requirement '${name}'. Did you mean '${near}'? --list shows all.`;
}
