import type { RequirementId } from '../../generated/requirements.ts';
import type { Profile } from './options.ts';
import type { Probe, ProbeEpisode } from './probe/index.ts';
import type { FixtureTool } from './target.ts';

/**
 * A prerequisite of a check. If it is missing, the check is not testable (n/a without a second environment).
 * - `task`: the environment has a task to open an episode with.
 * - `call`: calls are allowed, and the suite has an input for one of the tools.
 * - `environments`: the server has a second environment.
 * - `process`: the suite started the server and may stop it.
 * - `fixture`: the environment is the fixture `conformance`.
 * - `fixture:<tool>`: the environment is the fixture, and has this tool.
 *
 * @example
 * const isForFixture = (prerequisite: CheckPrerequisite) => prerequisite.startsWith('fixture');
 * const checks = serverChecks.filter(({ needs = [] }) => needs.some(isForFixture));
 */
export type CheckPrerequisite = 'task' | 'call' | 'environments' | 'process' | 'fixture' | `fixture:${FixtureTool}`;

/**
 * A test of one requirement from outside.
 *
 * @example
 * const measured: readonly ConformanceCheck[] = serverChecks.filter(({ exclusive }) => exclusive);
 */
export interface ConformanceCheck {
  /** Group and name, as in `session/create-twice`. */
  readonly id: `${string}/${string}`;
  /** The expected behaviour, as one sentence without a full stop. */
  readonly title: string;
  /** The row of spec/requirements.yaml with level, wording and source. */
  readonly requirement: RequirementId;
  /** The smallest profile that includes the check. */
  readonly profile: Profile;
  /** @default none */
  readonly needs?: readonly CheckPrerequisite[];
  /** Maximum number of sessions and calls that the check makes; the probe enforces it. @default 0 each */
  readonly cost?: { readonly sessions?: number; readonly calls?: number };
  /** Runs alone, because it loads the server or measures times. @default false */
  readonly exclusive?: true;
  /** Returns if the requirement is met, and throws one of the errors of assertions.ts otherwise. */
  readonly run: (probe: Probe) => Promise<void>;
}

type CheckDefaults = Pick<ConformanceCheck, 'profile' | 'needs' | 'cost'>;

/** Body of a check: `run`, or `play` with a new episode on the first task. */
type CheckBody =
  | Pick<ConformanceCheck, 'run'>
  | { readonly play: (episode: ProbeEpisode, probe: Probe) => Promise<void> };

type CheckDefinition = Omit<ConformanceCheck, keyof CheckDefaults | 'run'> & CheckBody;

/** Returns the checks of a topic; each may override the defaults. */
export function defineChecks(
  defaults: CheckDefaults,
  checks: readonly (CheckDefinition & Partial<CheckDefaults>)[],
): readonly ConformanceCheck[] {
  return checks.map((check) => ({ ...defaults, ...check, run: 'run' in check ? check.run : playNew(check.play) }));
}

const playNew =
  (play: (episode: ProbeEpisode, probe: Probe) => Promise<void>): ConformanceCheck['run'] =>
  async (probe) =>
    play(await probe.episode(), probe);

type FixtureCheck = CheckDefinition & {
  /** @default 'full' */
  readonly profile?: Profile;
  /** The tools of the fixture that the check calls. */
  readonly tools: readonly FixtureTool[];
  /** @default 1 */
  readonly sessions?: number;
  /** @default 1 */
  readonly calls?: number;
};

/** Returns a check that needs the fixture environment; by default it opens one session and makes one call. */
export function fixtureCheck({ profile = 'full', tools, sessions = 1, calls = 1, ...check }: FixtureCheck) {
  const needs: readonly CheckPrerequisite[] =
    tools.length > 0 ? tools.map((tool) => `fixture:${tool}` as const) : ['fixture'];
  return { ...check, profile, needs, cost: { sessions, calls } };
}
