import type { RequirementId } from '../../generated/requirements.ts';
import type { FixtureTool } from './fixture.ts';
import type { Probe } from './probe/index.ts';
import type { Profile } from './profile.ts';

/**
 * What must be there before a check can be made; otherwise it is not testable, without a second environment n/a.
 * - `task`: the environment has a task to open an episode with.
 * - `call`: calls are allowed, and an input is known for one of the tools.
 * - `environments`: the server has a second environment.
 * - `process`: the suite started the server itself and may stop it.
 * - `fixture:<tool>`: the environment is the fixture `conformance`, and has this tool.
 */
export type CheckPrerequisite = 'task' | 'call' | 'environments' | 'process' | 'fixture' | `fixture:${FixtureTool}`;

/** One thing that can be seen from outside, and that follows from one requirement. */
export interface ConformanceCheck {
  /** Group and name, as in `session/create-twice`. */
  readonly id: `${string}/${string}`;
  /** What the check does and expects, as one sentence without a full stop. */
  readonly title: string;
  /** The row of spec/requirements.yaml that gives level, wording and source. */
  readonly requirement: RequirementId;
  /** The smallest profile that includes it. */
  readonly profile: Profile;
  readonly needs?: readonly CheckPrerequisite[];
  /** The most sessions that it creates and calls that it makes itself; the probe allows no more. Default: none. */
  readonly cost?: { readonly sessions?: number; readonly calls?: number };
  /** Nothing else may run at the same time, because it loads the server or measures times. */
  readonly exclusive?: true;
  /** Returns if the requirement is met, throws one of verdict.ts if not. */
  readonly run: (probe: Probe) => Promise<void>;
}
