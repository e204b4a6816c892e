import type {
  CreateSession,
  SerializedBlock,
  SerializedMessage,
  TerminalTool,
  ToolSpec,
} from '../../protocol/index.ts';
import type { CallOutcome } from '../calls/call-table.ts';

/**
 * Records the episodes of a server, for example in a trace store. No method may throw, except that `check` may reject.
 *
 * @example
 * const recorder: Recorder = {
 *   startEpisode: ({ sid }) => ({
 *     ready: async () => undefined,
 *     prompt: () => undefined,
 *     tools: () => undefined,
 *     call: ({ name }) => (outcome) => console.log(sid, name, outcome),
 *     ended: (ending) => console.log(sid, ending),
 *   }),
 * };
 */
export interface Recorder {
  /** Called when an episode has been created. */
  startEpisode(start: EpisodeStart): EpisodeRecorder;
  /**
   * Rejects with the reason while nothing can be recorded; `/ready` then returns 503.
   *
   * @default recording is always possible
   */
  check?(): Promise<void>;
}

/**
 * Episode that begins.
 *
 * @example
 * const nameOf = ({ environment, run = 'none', sid }: EpisodeStart) => `${environment}/${run}/${sid}`;
 */
export interface EpisodeStart {
  readonly sid: string;
  readonly environment: string;
  /** Either `task_spec`, or `split` and `index`. */
  readonly task: Pick<CreateSession, 'task_spec' | 'split' | 'index'>;
  /** Secrets by name. Everything that is recorded later may contain them. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Run that the client named in `X-Trace-Run`. */
  readonly run: string | undefined;
  /** Group that the client named in `X-Trace-Group`. */
  readonly group: string | undefined;
  /** Tags that the client named in `X-Trace-Tags`; `by-hand` for requests of curl and similar programs. @default none */
  readonly tags?: readonly string[];
}

/**
 * Records one episode. Methods are called in the order in which clients receive the events.
 *
 * @example
 * const rewards: EpisodeRecorder = {
 *   ready: async () => undefined,
 *   prompt: () => undefined,
 *   tools: () => undefined,
 *   call: ({ name }) => (outcome) => console.log(name, outcome),
 *   ended: (ending) => console.log(ending),
 * };
 */
export interface EpisodeRecorder {
  /** Id of the record, which clients receive in `X-Trace-ID`. */
  readonly traceId?: string;
  /** Resolves when the recorder can accept more. The server awaits it before it runs a tool. */
  ready(): Promise<void>;
  /** Called each time a client reads the prompt. */
  prompt(blocks: readonly SerializedBlock[]): void;
  /**
   * Called instead of `prompt` if the author wrote a conversation.
   *
   * @default `prompt` gets the messages in one list of blocks
   */
  messages?(messages: readonly SerializedMessage[]): void;
  /**
   * Called each time a client reads the tools of the episode.
   *
   * @param terminalTool the tool that grades the final message, which is not in `tools`; null if there is none.
   */
  tools(tools: readonly ToolSpec[], terminalTool: TerminalTool | null): void;
  /** Called when a call begins; the returned function is called with its outcome. */
  call(call: { readonly name: string; readonly input: unknown }): (outcome: CallOutcome) => void;
  /**
   * Called when the session has ended.
   *
   * @param ending why the session ended: deleted, expired or lost, or failed if its setup failed.
   */
  ended(ending: string, isFinished: boolean): void;
}
