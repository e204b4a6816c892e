import {
  CallLostError,
  OrsConnectionError,
  OrsHttpError,
  OrsProtocolError,
  type RemoteEnvironment,
  type Session,
  SessionLostError,
  ToolCallError,
  ToolCrashedError,
} from '../../client/index.ts';
import { type DeadlineSignal, deadlineSignal, errorMessage, errorName, settlesWithin } from '../../core/index.ts';
import { sha256OfJson } from '../../core/node/index.ts';
import { type Block, type JSONObject, joinText, type ToolSpec } from '../../protocol/index.ts';
import type { CallEvidence, EpisodeRun, EpisodeRunKind, PromptEvidence, StepOutcome } from '../evidence.ts';
import type { ValidationSettings } from './options.ts';

/** An episode that is being played, and what is noted of it. */
export interface EpisodeRunHandle {
  readonly blocks: readonly Block[];
  readonly tools: readonly ToolSpec[];
  /** Whether nothing more can be called. */
  readonly isOver: () => boolean;
  /** Calls a tool and notes what came; the note's error is the client's. */
  readonly call: (tool: string, input: JSONObject, what: string) => Promise<CallObservation>;
}

export interface CallObservation {
  readonly step: CallEvidence;
  readonly blocks: readonly Block[];
  readonly metadata: JSONObject | null;
  readonly error?: unknown;
}

const MAX_TEXT_LENGTH = 2_000;
/** How long the close of a session is waited for; a server may take as long for teardown. */
const CLOSE_TIMEOUT_MS = 30_000;

/** Plays one episode. What the environment does wrong is noted; what is thrown is not the environment's fault. */
export async function playEpisodeRun(
  environment: RemoteEnvironment,
  place: { readonly split: string; readonly index: number },
  about: { readonly kind: EpisodeRunKind; readonly repeats?: EpisodeRun },
  terms: ValidationSettings,
  play: (table: EpisodeRunHandle, run: EpisodeRun) => Promise<unknown> = async () => undefined,
): Promise<EpisodeRun> {
  const run: EpisodeRun = { ...about, steps: [] };
  let session: Session | undefined;
  try {
    const opened = await open(environment, place, run, terms, (one) => {
      session = one;
    });
    if (opened) await play(opened, run);
    return run;
  } finally {
    if (session) await settlesWithin(CLOSE_TIMEOUT_MS, session[Symbol.asyncDispose]());
  }
}

/** Undefined if the environment does not let an episode begin. */
async function open(
  environment: RemoteEnvironment,
  place: { readonly split: string; readonly index: number },
  run: EpisodeRun,
  terms: ValidationSettings,
  keep: (session: Session) => void,
): Promise<EpisodeRunHandle | undefined> {
  const deadline = deadlineOf(terms);
  const { signal } = deadline;
  try {
    const session = await environment.session(place, { secrets: terms.secrets, signal });
    keep(session);
    const blocks = await session.prompt({ signal });
    run.prompt = promptOf(blocks);
    return tableOf(session, blocks, await session.tools({ signal }), run, terms);
  } catch (error) {
    terms.signal.throwIfAborted();
    run.failure = { stage: 'open', message: openFailure(error, terms) };
    return undefined;
  } finally {
    deadline.release();
  }
}

/** A server that cannot be reached any more is nobody's fault that stands in the report. */
function openFailure(error: unknown, { timeoutMs }: ValidationSettings): string {
  if (isTimeout(error)) return `it was not ready within ${timeoutMs / 1000} s`;
  if (error instanceof OrsConnectionError) throw error;
  return detailOf(error);
}

const deadlineOf = ({ signal, timeoutMs }: ValidationSettings): DeadlineSignal =>
  deadlineSignal(timeoutMs, () => new DOMException(`no answer within ${timeoutMs / 1000} s`, 'TimeoutError'), signal);

const isTimeout = (error: unknown) => errorName(error) === 'TimeoutError';

/** What an error says, without the address of the server that it came from. */
export function detailOf(error: unknown): string {
  if (error instanceof OrsHttpError) return error.detail;
  return errorMessage(error);
}

function promptOf(blocks: readonly Block[]): PromptEvidence {
  const text = joinText(blocks);
  const isEmpty = text.trim() === '' && blocks.every(({ type }) => type === 'text');
  return { text, digest: sha256OfJson(blocks), isEmpty };
}

function tableOf(
  session: Session,
  blocks: readonly Block[],
  tools: readonly ToolSpec[],
  run: EpisodeRun,
  terms: ValidationSettings,
): EpisodeRunHandle {
  let isLost = false;
  let isFinished = false;
  return {
    blocks,
    tools,
    isOver: () => isLost || isFinished,
    async call(tool, input, what) {
      const began = performance.now();
      const known = { tool, input, what, isAfterEnd: isFinished };
      const step = (rest: Omit<CallEvidence, keyof typeof known | 'ms'>): CallEvidence => {
        const made = { ...known, ...rest, ms: performance.now() - began };
        run.steps.push(made);
        return made;
      };
      const deadline = deadlineOf(terms);
      try {
        const result = await session.call(tool, input, { signal: deadline.signal });
        const { text, reward, finished, metadata } = result;
        isFinished ||= finished;
        const digest = sha256OfJson(result.blocks);
        const noted = step({ outcome: 'output', text: text.slice(0, MAX_TEXT_LENGTH), digest, reward, finished });
        return { step: noted, blocks: result.blocks, metadata };
      } catch (error) {
        terms.signal.throwIfAborted();
        const { outcome, text } = failureOf(error, terms);
        isLost ||= outcome === 'late' || outcome === 'lost';
        return {
          step: step({ outcome, text, digest: '', reward: null, finished: false }),
          blocks: [],
          metadata: null,
          error,
        };
      } finally {
        deadline.release();
      }
    },
  };
}

/** However the client came to it, no reward can be read of the answer. */
const isOfReward = (error: unknown) => detailOf(error).includes('output.reward');

function failureOf(error: unknown, { timeoutMs }: ValidationSettings): { outcome: StepOutcome; text: string } {
  if (isTimeout(error)) return { outcome: 'late', text: `no answer within ${timeoutMs / 1000} s` };
  if (error instanceof ToolCallError) return { outcome: 'refused', text: error.detail };
  if (error instanceof ToolCrashedError) return { outcome: 'crashed', text: error.detail };
  if (error instanceof OrsProtocolError || isOfReward(error)) return { outcome: 'malformed', text: detailOf(error) };
  if (error instanceof SessionLostError || error instanceof CallLostError) {
    return { outcome: 'lost', text: error.detail };
  }
  if (error instanceof OrsHttpError) return { outcome: 'crashed', text: `${error.status} ${error.detail}` };
  throw error;
}
