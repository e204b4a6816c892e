import { OrsConnectionError, type RemoteEnvironment, type Session, type TaskHandle } from '../../client/index.ts';
import { settlesWithin } from '../../core/index.ts';
import { sha256OfJson } from '../../core/node/index.ts';
import {
  type Block,
  flattenMessages,
  type JSONObject,
  joinText,
  type Message,
  type MessageBlock,
  type TerminalTool,
  type ToolSpec,
} from '../../protocol/index.ts';
import { CLOSE_TIMEOUT_MS, classifyCallError, errorDetail, isTimeout, withDeadline } from '../../trial/index.ts';
import type { CallEvidence, EpisodeRun, PromptEvidence } from '../evidence.ts';
import type { ValidationSettings } from '../options.ts';

/** Plays a running episode, and records its calls. */
export type EpisodePlayer = ReturnType<typeof createPlayer>;

export interface CallObservation {
  readonly step: CallEvidence;
  readonly blocks: readonly Block[];
  readonly metadata: JSONObject | null;
  readonly error?: unknown;
}

const MAX_TEXT_LENGTH = 2_000;

/**
 * Plays one episode, and records problems of the environment.
 *
 * @throws errors that the environment did not cause.
 */
export async function playEpisode(
  environment: RemoteEnvironment,
  { split, index }: Pick<TaskHandle, 'split' | 'index'>,
  about: Pick<EpisodeRun, 'kind' | 'repeats'>,
  settings: ValidationSettings,
  makeCalls: (player: EpisodePlayer, run: EpisodeRun) => Promise<unknown> = async () => undefined,
): Promise<EpisodeRun> {
  const run: EpisodeRun = { ...about, steps: [] };
  let session: Session | undefined;
  const open = async (signal: AbortSignal) => {
    session = await environment.session({ split, index }, { secrets: settings.secrets, signal });
    const messages = await session.messages({ signal });
    run.prompt = describePrompt(messages);
    const tools = await session.tools({ signal });
    const terminalTool = await session.terminalTool({ signal });
    if (terminalTool) run.terminalTool = terminalTool.name;
    return createPlayer(session, { messages, tools, terminalTool }, run, settings);
  };
  try {
    const player = await withDeadline(settings, open).catch((error: unknown) => {
      settings.signal.throwIfAborted();
      run.failure = { stage: 'open', message: openFailure(error, settings) };
    });
    if (player) await makeCalls(player, run);
    return run;
  } finally {
    if (session) await settlesWithin(CLOSE_TIMEOUT_MS, session[Symbol.asyncDispose]());
  }
}

function openFailure(error: unknown, { timeoutMs }: ValidationSettings): string {
  if (isTimeout(error)) return `it was not ready within ${timeoutMs / 1000} s`;
  // An unreachable server is not a problem of the environment.
  if (error instanceof OrsConnectionError) throw error;
  return errorDetail(error);
}

function describePrompt(messages: readonly Message[]): PromptEvidence {
  const blocks = flattenMessages(messages);
  // Flattening adds headings, which say nothing about the task.
  const own = messages.flatMap((message): readonly MessageBlock[] => message.blocks);
  const isEmpty = own.every((block) => block.type === 'text' && block.text.trim() === '');
  return { text: joinText(blocks), digest: sha256OfJson(blocks), isEmpty, messages };
}

/** Prompt and tools of an episode. */
interface OpenedEpisode {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly terminalTool: TerminalTool | null;
}

function createPlayer(session: Session, opened: OpenedEpisode, run: EpisodeRun, settings: ValidationSettings) {
  let isLost = false;
  let isFinished = false;
  return {
    ...opened,
    session,
    /** The prompt as blocks. */
    blocks: flattenMessages(opened.messages),
    /** Returns whether the episode is finished or lost. */
    isOver: () => isLost || isFinished,
    /** Calls a tool and records the result. Errors of the call are returned. */
    async call(tool: string, input: JSONObject, what: string): Promise<CallObservation> {
      const began = performance.now();
      const known = { tool, input, what, isAfterEnd: isFinished };
      const record = (rest: Omit<CallEvidence, keyof typeof known | 'ms'>): CallEvidence => {
        const step = { ...known, ...rest, ms: performance.now() - began };
        run.steps.push(step);
        return step;
      };
      try {
        const result = await withDeadline(settings, (signal) => session.call(tool, input, { signal }));
        const { text, reward, finished, metadata } = result;
        isFinished ||= finished;
        const digest = sha256OfJson(result.blocks);
        const step = record({ outcome: 'output', text: text.slice(0, MAX_TEXT_LENGTH), digest, reward, finished });
        return { step, blocks: result.blocks, metadata };
      } catch (error) {
        settings.signal.throwIfAborted();
        const { outcome, text, reason } = classifyCallError(error, settings);
        isLost ||= outcome === 'late' || outcome === 'lost';
        const step = record({ outcome, text, reason, digest: '', reward: null, finished: false });
        return { step, blocks: [], metadata: null, error };
      }
    },
  };
}
