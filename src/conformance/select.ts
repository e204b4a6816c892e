import type { ConformanceCheck } from './check.ts';
import type { ConformanceOptions } from './options.ts';
import { PROFILE_INCLUDES, type Profile } from './profile.ts';
import { MAX_SHARED_CALLS } from './share.ts';

/** The checks of a run, in the order of the list. */
export function selectChecks(
  checks: readonly ConformanceCheck[],
  { profiles = ['core'], only, skip = [] }: Pick<ConformanceOptions, 'profiles' | 'only' | 'skip'>,
): ConformanceCheck[] {
  const included = new Set<Profile>(profiles.flatMap((profile) => PROFILE_INCLUDES[profile]));
  return checks.filter(
    (check) =>
      included.has(check.profile) && (only === undefined || matchesName(check, only)) && !matchesName(check, skip),
  );
}

/** Whether one of the names is the check's id, a group that it is in, or its requirement. */
export const matchesName = (
  { id, requirement }: Pick<ConformanceCheck, 'id' | 'requirement'>,
  names: readonly string[],
): boolean =>
  names.some((name) => id === name || id.startsWith(name.endsWith('/') ? name : `${name}/`) || requirement === name);

const SHARED = { sessions: 1, calls: MAX_SHARED_CALLS };
const CORE_SECONDS = 120;

/** The most that these checks can need. */
export function computeBudget(
  checks: readonly ConformanceCheck[],
  { maxCalls, maxSeconds, noToolCalls, profiles = ['core'] }: ConformanceOptions,
) {
  const sum = (kind: 'sessions' | 'calls') =>
    checks.reduce(
      (total, { cost }) => total + (cost?.[kind] ?? 0),
      checks.some(({ profile }) => profile !== 'discovery') ? SHARED[kind] : 0,
    );
  const isSmall = profiles.every((profile) => profile === 'discovery' || profile === 'core');
  return {
    sessions: sum('sessions'),
    calls: noToolCalls ? 0 : Math.min(maxCalls ?? Infinity, sum('calls')),
    seconds: maxSeconds ?? (isSmall ? CORE_SECONDS : Infinity),
  };
}
