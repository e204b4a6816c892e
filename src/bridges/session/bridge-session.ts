import type { Block, JSONObject, ToolSpec } from '../../protocol/index.ts';

/** What is used of a session of `ors-kit/client`, or of one that `recordEpisode` gave. */
export interface BridgeSession {
  readonly sid: string;
  readonly environment: string;
  /** Whether a call has finished the episode. */
  readonly finished: boolean;
  tools(): Promise<readonly ToolSpec[]>;
  /** @param options its signal ends the waiting, not the call at the server. */
  call(name: string, input: JSONObject, options?: { readonly signal?: AbortSignal }): Promise<SessionCallResult>;
}

/** What a session's call gives. */
export interface SessionCallResult {
  readonly blocks: readonly Block[];
  readonly reward: number | null;
  readonly finished: boolean;
  readonly metadata: JSONObject | null;
}

/** What came of a call, for whoever trains or evaluates; nothing of it but the blocks is for the model. */
export interface BridgeCallResult {
  /** The number of the call in the episode, from 1. */
  readonly number: number;
  /** The tool and its input in the words of the environment. */
  readonly tool: string;
  readonly input: JSONObject;
  /** False where the tool could not do what it was asked for, or the call failed. */
  readonly ok: boolean;
  readonly blocks: readonly Block[];
  /** Null if there was none, which is not a reward of 0. */
  readonly reward: number | null;
  readonly finished: boolean;
  readonly metadata: JSONObject | null;
}

/** What the model is shown of a call. */
export interface VisibleResult {
  readonly blocks: readonly VisibleBlock[];
  /** Whether the blocks tell why there is no result. */
  readonly isError: boolean;
}

/** A block without its `detail`, which is for programs. */
export type VisibleBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string };
