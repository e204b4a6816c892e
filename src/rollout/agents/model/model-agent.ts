import { ToolCallError } from '../../../client/index.ts';
import { isRecord } from '../../../core/index.ts';
import { text } from '../../../protocol/index.ts';
import type { Agent, AgentContext, AgentSession, StopReason } from '../../agent.ts';
import type { ModelResponse } from './answer.ts';
import { requestModelResponse } from './ask.ts';
import { assistantMessage, type ModelCallResult, promptMessage, resultMessages } from './conversation.ts';
import { getProviderDialect } from './dialect.ts';
import {
  type LanguageModel,
  type ModelMessage,
  type ProviderModel,
  type Sampling,
  toProviderModel,
} from './language-model.ts';
import { createResponseLog, type ResponseLog } from './log-answer.ts';
import { addUsage, EMPTY_USAGE, limitReached, toAgentReport, type UsageTotals } from './tally.ts';
import { createToolbox, type ParsedCall, type Toolbox, toolNames } from './toolbox.ts';

export interface ModelAgentOptions extends Omit<Sampling, 'seed'> {
  readonly model: LanguageModel;
  /** What the model is told before the prompt. Default: nothing. */
  readonly system?: string;
  /** Whether the provider is given the seed of the episode; not all of them use it. Default: false. */
  readonly seeded?: boolean;
  /**
   * Whether answers come as streams, which no proxy takes for dead while a model speaks. At once they cost this process
   * less, which counts with hundreds of episodes at a time. Default: true.
   */
  readonly streaming?: boolean;
  /** How often a request is made again that was refused for the moment, or broke off. Default: 8, about 100 s. */
  readonly retries?: number;
  /** Told of each pause before a request is made again: how long in ms, and why. Default: nobody is. */
  readonly onWait?: (ms: number, reason: string) => void;
}

/** So many answers in a row that hold nothing but malformed calls end an episode. */
const MAX_MALFORMED_CALLS = 3;

/**
 * An agent that lets a model play by calling tools. All calls of an answer are made together, and of what they give the
 * model sees the blocks alone. It ends when the environment says so, when the model answers without a call, and at
 * what `StopReason` names.
 *
 * It throws an AgentError where the provider fails, and what the session throws where an episode is lost or its tool
 * crashes; what a tool refuses goes back to the model.
 *
 * @throws TypeError for a model of another version of the AI SDK.
 */
export function modelAgent({ model, ...options }: ModelAgentOptions): Agent {
  const provider = toProviderModel(model);
  return async (session, context) => {
    const used = { tally: EMPTY_USAGE };
    try {
      const stop = await converse(provider, session, context, options, used);
      return toAgentReport(used.tally, session.finished ? 'finished' : stop);
    } catch (error) {
      if (session.finished) return toAgentReport(used.tally, 'finished');
      if (isTimeLimit(error, context.signal)) return toAgentReport(used.tally, 'time_limit');
      throw error;
    }
  };
}

/** As `AbortSignal.timeout` names it. */
const isTimeLimit = (error: unknown, { aborted, reason }: AbortSignal): boolean =>
  aborted && error === reason && isRecord(error) && error.name === 'TimeoutError';

type ModelAgentSettings = Omit<ModelAgentOptions, 'model'>;

async function converse(
  provider: ProviderModel,
  session: AgentSession,
  { limits, signal, trace, seed }: AgentContext,
  { system, seeded = false, streaming = true, retries = 8, onWait, ...sampling }: ModelAgentSettings,
  used: { tally: UsageTotals },
): Promise<StopReason> {
  const dialect = getProviderDialect(provider);
  const log = createResponseLog(trace);
  if (system !== undefined) log.system(system);
  const prompt = await session.prompt({ signal });
  const toolbox = createToolbox(await session.tools({ signal }), dialect);
  const conversation: ModelMessage[] = [promptMessage(prompt, dialect)];
  if (system !== undefined) conversation.unshift({ role: 'system', content: system });
  const fixed = { ...sampling, ...(seeded ? { seed } : {}), tools: toolbox.toolSpecs, abortSignal: signal };

  for (let malformed = 0; malformed < MAX_MALFORMED_CALLS; ) {
    const limit = limitReached(used.tally, limits);
    if (limit) return limit;
    const request = { ...fixed, prompt: conversation };
    const asked = await requestModelResponse(provider, request, {
      streaming,
      retries,
      onWait,
      isFirst: used.tally.turns === 0,
    });
    if ('stop' in asked) return asked.stop;
    const { answer: response } = asked;
    used.tally = addUsage(used.tally, response.usage);
    const calls = toolbox.parseCalls(response.parts.filter((part) => part.type === 'tool-call'));
    await log.response(response, calls);
    const stop = stopOf(response, calls);
    if (stop) return stop;
    const outcomes = await makeCalls(session, calls, signal);
    if (session.finished) return 'finished';
    malformed = calls.every((call) => 'problem' in call) ? malformed + 1 : 0;
    const results = calls.length > 0 ? resultMessages(outcomes, dialect) : [correction(toolbox, log)];
    conversation.push(assistantMessage(response, calls), ...results);
  }
  return 'malformed_arguments';
}

/** Why an answer is the last one; undefined where it is not. */
function stopOf({ finish: { unified, raw } }: ModelResponse, calls: readonly ParsedCall[]): StopReason | undefined {
  // Half a call may have been filtered out.
  if (unified === 'content-filter') return 'refusal';
  if (calls.length > 0) return undefined;
  if (raw === 'model_context_window_exceeded') return 'context_overflow';
  // It made a call that has no name, and packages leave such out.
  if (unified === 'tool-calls') return undefined;
  return unified === 'length' ? 'output_limit' : 'stopped';
}

/** What a model is told whose call nobody could read. */
function correction({ toolSpecs = [] }: Toolbox, log: ResponseLog): ModelMessage {
  const names = toolSpecs.map(({ name }) => name);
  const output = `Your call could not be read, because it names no tool; ${toolNames(names)}.`;
  log.correction(output);
  return { role: 'user', content: [{ type: 'text', text: output }] };
}

/** Makes the calls of an answer together. What fails beside a call that ended the episode does not count. */
async function makeCalls(
  session: AgentSession,
  calls: readonly ParsedCall[],
  signal: AbortSignal,
): Promise<ModelCallResult[]> {
  const settled = await Promise.allSettled(calls.map((call) => makeCall(session, call, signal)));
  const failed = settled.find((result) => result.status === 'rejected');
  if (failed && !session.finished) throw failed.reason;
  return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

async function makeCall(session: AgentSession, call: ParsedCall, signal: AbortSignal): Promise<ModelCallResult> {
  if ('problem' in call) return { call, blocks: [text(call.problem)], isError: true };
  try {
    const { blocks } = await session.call(call.name, call.input, { signal });
    return { call, blocks, isError: false };
  } catch (error) {
    if (!(error instanceof ToolCallError)) throw error;
    return { call, blocks: [text(error.detail)], isError: true };
  }
}
