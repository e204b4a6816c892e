import { canonicalJson, fieldsOf, propertyOf } from '../../../core/index.ts';
import { ConversationRecorder, type JsonFields, omitMissing } from '../../conversation/index.ts';
import { getLogState } from '../log-state.ts';
import type { TraceHandle } from '../trace-handle.ts';
import { messages } from './anthropic-messages.ts';
import { type CallObserver, intercept } from './intercept.ts';
import { chat } from './openai-chat.ts';
import { responses } from './openai-responses.ts';
import type { ProviderApi } from './provider-api.ts';

/**
 * Wraps a client of OpenAI, or of a compatible provider, to log its conversations to a trace: each message once,
 * reasoning, tool calls, and results when the next request contains them. Streams are logged when they end; an abandoned
 * one has `extra.aborted`. Logged are `chat.completions.create`, `responses.create` and `beta.responses.create`,
 * including calls by helpers such as `parse`, `stream` and `runTools`. A raw response of `asResponse()` is logged when
 * its `body`, `json()` or `text()` is read.
 *
 * @returns a proxy of the client.
 * @example
 * const openai = wrapOpenAI(new OpenAI(), trace);
 * await openai.chat.completions.create({ model: 'gpt-5', messages: [{ role: 'user', content: 'Hello' }] });
 */
export const wrapOpenAI = <Client extends object>(client: Client, trace: TraceHandle): Client =>
  wrap(client, trace, {
    'chat.completions.create': chat,
    'responses.create': responses,
    'beta.responses.create': responses,
  });

/**
 * Like `wrapOpenAI`, for a client of Anthropic: logs `messages.create`, `beta.messages.create` and their helpers.
 *
 * @returns a proxy of the client.
 * @example
 * const anthropic = wrapAnthropic(new Anthropic(), trace);
 */
export const wrapAnthropic = <Client extends object>(client: Client, trace: TraceHandle): Client =>
  wrap(client, trace, { 'messages.create': messages, 'beta.messages.create': messages });

function wrap<Client extends object>(
  client: Client,
  trace: TraceHandle,
  apis: Readonly<Record<string, ProviderApi>>,
): Client {
  const recorder = new ConversationRecorder(trace, getLogState(trace));
  const requestOf = createRequestLog();
  const { report } = getLogState(trace);
  const methods = Object.entries(apis).map(([path, api]): [string, (params: unknown) => CallObserver] => [
    path,
    (params) => guardObserver(() => observe(recorder, api, fieldsOf(params), requestOf), report),
  ]);
  return intercept(client, { methods: Object.fromEntries(methods), ready: trace.ready });
}

/** Logs a request, and returns the observer of its response. */
function observe(
  recorder: ConversationRecorder,
  api: ProviderApi,
  params: JsonFields,
  requestOf: RequestLog,
): CallObserver {
  recorder.request(api.items(params), api.continues(params));
  const request = requestOf(params, api.conversation);
  const collected = api.collect();
  let isStarted = false;
  let isEnded = false;
  const log = (response: JsonFields) => {
    for (const turn of api.turns(response, request)) recorder.turn(turn);
  };
  return {
    response: (value) => log(fieldsOf(value)),
    item(value) {
      isStarted = true;
      collected.add(fieldsOf(value));
    },
    end(error) {
      if (isEnded || !isStarted) return;
      isEnded = true;
      log(error === undefined ? collected.result() : { ...collected.result(), aborted: true, ...sentError(error) });
    },
  };
}

/** Returns the error that a provider sent in a stream. Version 7 of OpenAI's package throws it instead of returning it. */
function sentError(thrown: unknown): JsonFields {
  const { code, message } = fieldsOf(propertyOf(thrown, 'error'));
  return message === undefined ? {} : { error: omitMissing({ code, message }) };
}

const NO_OBSERVER: CallObserver = { response: () => undefined, item: () => undefined, end: () => undefined };

/** Reports errors of an observer instead of throwing them into the caller's conversation. */
function guardObserver(create: () => CallObserver, report: (cause: unknown) => void): CallObserver {
  function attempt<T>(work: () => T, fallback: T): T {
    try {
      return work();
    } catch (cause) {
      report(cause);
      return fallback;
    }
  }
  const observer = attempt(create, NO_OBSERVER);
  return {
    response: (value) => attempt(() => observer.response(value), undefined),
    item: (value) => attempt(() => observer.item(value), undefined),
    end: (error) => attempt(() => observer.end(error), undefined),
  };
}

/** Returns the parameters of a request that are logged in `raw`. */
type RequestLog = (params: JsonFields, conversation: readonly string[]) => JsonFields;

/** Leaves out the conversation, and tools that are the same as in the previous request. */
function createRequestLog(): RequestLog {
  let lastTools = '';
  return (params, conversation) => {
    const tools = canonicalJson(params.tools);
    const known = tools === lastTools ? [...conversation, 'tools'] : conversation;
    lastTools = tools;
    return Object.fromEntries(Object.entries(params).filter(([name]) => !known.includes(name)));
  };
}
