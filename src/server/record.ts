import type { CreateSession, SerializedBlock, ToolSpec } from '../protocol/index.ts';
import type { CallOutcome } from './calls/call-table.ts';

/** Whoever writes down what happens in the episodes of a server, such as a trace store. Only `check` may fail. */
export interface Recorder {
  /** An episode has been created. */
  startEpisode(start: EpisodeStart): EpisodeRecorder;
  /** Rejects with the reason while nothing can be recorded; `/ready` is then 503. Default: recording is always possible. */
  check?(): Promise<void>;
}

export interface EpisodeStart {
  readonly sid: string;
  readonly environment: string;
  /** Exactly one of task_spec or split and index names the task. */
  readonly task: Pick<CreateSession, 'task_spec' | 'split' | 'index'>;
  /** By name; they may occur in all that is told. */
  readonly secrets: Readonly<Record<string, string>>;
  /** What the client said that the episode belongs to. */
  readonly run: string | undefined;
  readonly group: string | undefined;
}

/** Is told of one episode, in the order in which clients learn of it. */
export interface EpisodeRecorder {
  /** By which the record is found again; clients are told. */
  readonly traceId?: string;
  /** Settles when there is room for more; awaited before a tool runs. */
  ready(): Promise<void>;
  /** A client reads the prompt; clients may do so more than once. */
  prompt(blocks: readonly SerializedBlock[]): void;
  /** A client reads the tools of the episode; clients may do so more than once. */
  tools(tools: readonly ToolSpec[]): void;
  /** A call begins; the function that comes back is told how it came out. */
  call(call: { readonly name: string; readonly input: unknown }): (outcome: CallOutcome) => void;
  /** @param ending the first word of why: deleted, expired, lost; failed where setup did. */
  ended(ending: string, isFinished: boolean): void;
}
