import type { PlayerOutput } from '../environment/index.ts';
import type { Block, JSONObject, ToolSpec } from '../protocol/index.ts';

/** What plays an episode: the same over the wire and in the process. */
export interface EpisodePlayer {
  readonly sessionId: string;
  readonly prompt: readonly Block[];
  readonly tools: readonly ToolSpec[];
  /** @throws ToolCallError if the tool answers `ok: false`; what else fails depends on the way of playing. */
  readonly call: (name: string, input?: JSONObject) => Promise<PlayerOutput>;
  /** Deletes the episode. May be called twice. */
  readonly close: () => Promise<void>;
}
