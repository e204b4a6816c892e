import { formatCallIds } from '../../../client/formats/index.ts';
import { ToolCallError } from '../../../client/index.ts';
import { definedFields, isRecord } from '../../../core/index.ts';
import { blocksOf, type JSONObject, type Message, text } from '../../../protocol/index.ts';
import type { LoggedBlock, TraceHandle } from '../../../trace/client/index.ts';
import { isToolName, uniqueCallId } from '../../../trace/model/index.ts';
import {
  type Agent,
  type AgentContext,
  AgentError,
  type AgentLimits,
  type AgentSession,
  type StopReason,
  type TokenUsage,
} from '../../agent.ts';
import {
  answerText,
  assistantMessage,
  type ModelCallResult,
  openingMessages,
  resultMessages,
  toAssistantMessage,
  toResultMessage,
} from './conversation.ts';
import {
  getProviderDialect,
  type LanguageModel,
  type ModelMessage,
  type ProviderModel,
  type ProviderUsage,
  type Sampling,
  toProviderModel,
} from './language-model.ts';
import { type ModelResponse, requestModelResponse } from './model-response.ts';
import { createToolbox, type ParsedCall, type Toolbox, toolNames } from './toolbox.ts';

/**
 * Options of `modelAgent`.
 *
 * @example
 * const options: ModelAgentOptions = { model: await loadModel('openai/gpt-5'), system: 'Think first.', temperature: 1 };
 */
export interface ModelAgentOptions extends Omit<Sampling, 'seed'> {
  /** Model of the AI SDK, or one of `loadModel`. */
  readonly model: LanguageModel;
  /** System prompt. @default none */
  readonly system?: string;
  /** Passes the seed of the episode to the provider; not every provider uses it. @default false */
  readonly seeded?: boolean;
  /**
   * Requests responses as streams, so that proxies do not close the connection while the model generates. Without
   * streaming, hundreds of concurrent episodes cost this process less CPU.
   *
   * @default true
   */
  readonly streaming?: boolean;
  /** Number of retries of a request that failed temporarily. @default 8, which takes about 100 s */
  readonly retries?: number;
  /** Receives the delay before a retry in milliseconds, and its reason. */
  readonly onWait?: (ms: number, reason: string) => void;
}

/** The episode ends after this many consecutive responses without a well-formed call. */
const MAX_MALFORMED_RESPONSES = 3;

/**
 * Creates an agent that lets a language model call the tools. The calls of one response run one after the other, so that
 * rewards do not depend on which request arrives first, and the model sees only the blocks of their results. The agent stops when the environment finishes the episode, when the model
 * responds without a call, and for the other reasons in `StopReason`.
 *
 * If the environment grades final messages (`session.terminalTool`), the text of a response without a call is submitted.
 * If the environment refuses it, the model gets the reason and a second attempt.
 *
 * The agent throws an AgentError if the provider fails, and the session's error if the episode is lost or a tool crashes.
 * Tool errors are returned to the model.
 *
 * @throws TypeError for a model of an unsupported version of the AI SDK.
 * @example
 * const agent = modelAgent({ model: await loadModel('openai/gpt-5'), temperature: 1 });
 */
export function modelAgent({ model, ...options }: ModelAgentOptions): Agent {
  const provider = toProviderModel(model);
  return async (session, context) => {
    const used: UsageTotals = { turns: 0, usage: { inputTokens: null, outputTokens: null }, messages: [] };
    try {
      const stop = await converse(provider, session, context, options, used);
      return { ...used, stop: session.finished ? 'finished' : stop };
    } catch (error) {
      if (session.finished) return { ...used, stop: 'finished' };
      if (isTimeLimit(error, context.signal)) return { ...used, stop: 'time_limit' };
      throw error;
    }
  };
}

/** `AbortSignal.timeout` uses the same name. */
const isTimeLimit = (error: unknown, { aborted, reason }: AbortSignal): boolean =>
  aborted && error === reason && isRecord(error) && error.name === 'TimeoutError';

/** Alternates between the model and the tools until there is a reason to stop. */
async function converse(
  provider: ProviderModel,
  session: AgentSession,
  { limits, signal, trace, seed }: AgentContext,
  { system, seeded = false, streaming = true, retries = 8, onWait, ...sampling }: Omit<ModelAgentOptions, 'model'>,
  used: UsageTotals,
): Promise<StopReason> {
  const dialect = getProviderDialect(provider);
  const log = createResponseLog(trace);
  if (system !== undefined) log.system(system);
  const opening = formatCallIds(await session.messages({ signal }), dialect.tools);
  const toolbox = createToolbox(await session.tools({ signal }), dialect, callIdsOf(opening));
  const isGraded = (await session.terminalTool({ signal })) !== null;
  const conversation: ModelMessage[] = openingMessages(opening, dialect, toolbox);
  if (system !== undefined) conversation.unshift({ role: 'system', content: system });
  const settings = { ...sampling, ...(seeded ? { seed } : {}), tools: toolbox.toolSpecs, abortSignal: signal };
  let refusals = 0;

  for (let malformed = 0; malformed < MAX_MALFORMED_RESPONSES; ) {
    const limit = limitReached(used, limits);
    if (limit) return limit;
    const request = { ...settings, prompt: conversation };
    const isFirst = used.turns === 0;
    const step = await requestModelResponse(provider, request, { streaming, retries, onWait, isFirst });
    if ('stop' in step) return step.stop;
    const { response } = step;
    addUsage(used, response.usage);
    const calls = toolbox.parseCalls(response.parts.filter((part) => part.type === 'tool-call'));
    await log.response(response, calls);
    used.messages.push(toAssistantMessage(response, calls));
    const stop = stopReasonOf(response, calls);
    if (stop && isGraded && ANSWERED.includes(stop)) {
      const refusal = await submitAnswer(session, answerText(response), signal);
      if (refusal === undefined || refusals === MAX_REFUSALS) return stop;
      refusals += 1;
      log.correction(refusal);
      used.messages.push({ role: 'user', blocks: [text(refusal)] });
      conversation.push(assistantMessage(response, calls), userMessage(refusal));
      continue;
    }
    if (stop) return stop;
    const results = await makeCalls(session, calls, signal);
    if (results.length > 0) used.messages.push(toResultMessage(results));
    if (session.finished) return 'finished';
    malformed = calls.every((call) => 'problem' in call) ? malformed + 1 : 0;
    const replies = calls.length > 0 ? resultMessages(results, dialect) : [correctionMessage(toolbox, log)];
    conversation.push(assistantMessage(response, calls), ...replies);
  }
  return 'malformed_arguments';
}

const callIdsOf = (messages: readonly Message[]): string[] =>
  messages.flatMap(blocksOf).flatMap((block) => (block.type === 'tool_call' ? [block.id] : []));

/** Stop reasons of responses that are final messages, also of one that was cut off. */
const ANSWERED: readonly StopReason[] = ['stopped', 'output_limit'];
/** Number of refused answers after which the model may try again. */
const MAX_REFUSALS = 1;

/** Submits a final message. Returns the reason for the model if the environment refused it. */
async function submitAnswer(session: AgentSession, answer: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    await session.answer(answer, { signal });
    return undefined;
  } catch (error) {
    if (!(error instanceof ToolCallError)) throw error;
    return error.reason === 'episode_finished' ? undefined : error.detail;
  }
}

/** Returns why a response is the last one; undefined if it is not. */
function stopReasonOf(
  { finish: { unified, raw } }: ModelResponse,
  calls: readonly ParsedCall[],
): StopReason | undefined {
  // The filter may have removed a part of a call.
  if (unified === 'content-filter') return 'refusal';
  if (calls.length > 0) return undefined;
  if (raw === 'model_context_window_exceeded') return 'context_overflow';
  // The model made a call without a name, which provider packages drop.
  if (unified === 'tool-calls') return undefined;
  return unified === 'length' ? 'output_limit' : 'stopped';
}

/** Returns the message for a model whose call was dropped by the provider's package. */
function correctionMessage({ toolSpecs = [] }: Toolbox, log: ResponseLog): ModelMessage {
  const names = toolSpecs.map(({ name }) => name);
  const correction = `Your call could not be parsed because it names no tool; ${toolNames(names)}.`;
  log.correction(correction);
  return userMessage(correction);
}

const userMessage = (content: string): ModelMessage => ({ role: 'user', content: [text(content)] });

/** Makes the calls of a response in their order, as other harnesses do, and none after the end of the episode. */
async function makeCalls(
  session: AgentSession,
  calls: readonly ParsedCall[],
  signal: AbortSignal,
): Promise<ModelCallResult[]> {
  const results: ModelCallResult[] = [];
  for (const call of calls) {
    results.push(await makeCall(session, call, signal));
    if (session.finished) break;
  }
  return results;
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

/** Turns, tokens and messages of an episode so far. */
interface UsageTotals {
  turns: number;
  usage: TokenUsage;
  readonly messages: Message[];
}

function addUsage(used: UsageTotals, { inputTokens, outputTokens }: ProviderUsage): void {
  used.turns += 1;
  used.usage = {
    inputTokens: addTokens(used.usage.inputTokens, inputTokens.total),
    outputTokens: addTokens(used.usage.outputTokens, outputTokens.total),
  };
}

const addTokens = (total: number | null, tokens: number | undefined): number | null =>
  tokens === undefined ? total : (total ?? 0) + tokens;

/**
 * Returns the limit that another turn would exceed.
 *
 * @throws AgentError if tokens are limited and the provider does not count them.
 */
function limitReached({ turns, usage }: UsageTotals, limits: AgentLimits): StopReason | undefined {
  if (turns >= limits.turns) return 'turn_limit';
  const { inputTokens, outputTokens } = usage;
  const isUnknown = inputTokens === null && outputTokens === null;
  if (turns > 0 && isUnknown && limits.tokens < Number.POSITIVE_INFINITY) {
    throw new AgentError('cannot enforce the token limit: the provider does not report token usage; omit the limit');
  }
  return (inputTokens ?? 0) + (outputTokens ?? 0) >= limits.tokens ? 'token_limit' : undefined;
}

type ResponseLog = ReturnType<typeof createResponseLog>;

/**
 * Creates a log that writes the messages of a model to the trace of an episode, or discards them if there is none. The
 * session logs the results of the calls.
 */
function createResponseLog(trace: TraceHandle | undefined) {
  // Providers may repeat ids in later responses; in a trace they are unique.
  const ids = new Set<string>();
  return {
    system: (content: string) => void trace?.logMessage({ role: 'system', content }),
    /** Logs the message that follows a response without a parsable call. */
    correction: (content: string) => void trace?.logMessage({ role: 'user', content }),
    /** Logs a response and its calls. The session logs their results below it. */
    async response(response: ModelResponse, calls: readonly ParsedCall[]): Promise<void> {
      if (!trace) return;
      await trace.ready();
      const logged = calls.map((call) => {
        const callId = uniqueCallId(call.id, (id) => ids.has(id));
        ids.add(callId);
        return { call, callId };
      });
      const toolUses = logged.map(({ call, callId }) => ({ type: 'tool_use', id: callId, name: call.name }));
      const texts = response.parts.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : []));
      const withoutText = toolUses.length > 0 ? toolUses : [{ type: 'text', text: '' }];
      const content = texts.length > 0 ? texts.join('\n') : withoutText;
      const { id } = trace.logMessage({ role: 'assistant', content, extra: extraOf(response) });
      for (const part of response.parts) {
        if (part.type !== 'reasoning' || part.text === '') continue;
        trace.logThink({ parent_block_id: id, payload: { text: part.text } });
      }
      for (const { call, callId } of logged) logCall(trace, id, call, callId);
    },
  };
}

function logCall(trace: TraceHandle, parent_block_id: LoggedBlock['id'], call: ParsedCall, call_id: string): void {
  const { name } = call;
  // The session logs calls of tools whose names a trace cannot contain.
  if (!isToolName(name) && !('problem' in call)) return;
  const payload = {
    call_id,
    name: isToolName(name) ? name : 'unnamed',
    arguments: 'problem' in call ? call.rawText : call.input,
  };
  const extra = isToolName(name) ? {} : { extra: { name } };
  const act = trace.logAct({ parent_block_id, payload, ...extra });
  if (!('problem' in call)) return;
  // A malformed call never reaches the session, so its result is logged here.
  const output = { ok: false, error: call.problem };
  trace.logObserve({ parent_block_id: act.id, payload: { call_id, output }, extra: { tool_error: true } });
}

function extraOf({ usage, finish, model }: ModelResponse): JSONObject {
  const tokens = definedFields({ input_tokens: usage.inputTokens.total, output_tokens: usage.outputTokens.total });
  return {
    ...(Object.keys(tokens).length > 0 && { usage: tokens }),
    finish_reason: finish.raw ?? finish.unified,
    ...definedFields({ model }),
  };
}
