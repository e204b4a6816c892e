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
  /** Called when an episode has been created, and when one comes back from a journal. */
  startEpisode(start: EpisodeStart): EpisodeRecorder;
  /**
   * Returns a new id for the record of an episode in a journal. When the episode comes back, perhaps on another server, it
   * starts again with this id, and all its calls are recorded once more: a recorder with this method keeps each once.
   *
   * @default the record of an episode ends with its server
   */
  newRecordId?(): string;
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
  /** Id of the record, if a journal has the episode and the recorder has `newRecordId`. @default the recorder chooses one */
  readonly recordId?: string | undefined;
  /** Record of the episode that this one is a fork of. @default not a fork */
  readonly parent?: RecordParent | undefined;
}

/**
 * Record of the episode from which another one was forked.
 *
 * @example
 * const describe = ({ recordId, calls }: RecordParent) => `fork of ${recordId} after ${calls} calls`;
 */
export interface RecordParent {
  readonly recordId: string;
  /** Number of calls that both have. */
  readonly calls: number;
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
  /** Called each time a client reads the prompt, and when an episode comes back whose prompt a client has read. */
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
  /**
   * Called when a call begins; the returned function is called with its outcome. `number` is the position of the call in
   * an episode that a journal has, from 1 up.
   */
  call(call: {
    readonly name: string;
    readonly input: unknown;
    readonly number?: number | undefined;
  }): (outcome: CallOutcome) => void;
  /**
   * Called when the session has ended.
   *
   * @param ending why the session ended: deleted, expired or lost, failed if its setup failed, or moved if another server
   * can continue it.
   */
  ended(ending: string, isFinished: boolean): void;
}
