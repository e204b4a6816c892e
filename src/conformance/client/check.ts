import type { RequirementId } from '../../../generated/requirements.ts';
import type { ClientHarness } from './stage.ts';

/** One thing that a server can see of its client, and that follows from one requirement. */
export interface ClientCheck {
  /** Group and name, as in `client/stream/bom`. */
  readonly id: `client/${string}/${string}`;
  /** What the client does, as one sentence without a full stop. */
  readonly title: string;
  /** The row of spec/requirements.yaml that gives level, wording and source. */
  readonly requirement: RequirementId;
  /** It waits for tens of seconds, and is begun before the others, so that a run ends sooner. */
  readonly slow?: true;
  /** Returns if the requirement is met, throws one of ../verdict.ts if not. */
  readonly run: (stage: ClientHarness) => Promise<void>;
}
