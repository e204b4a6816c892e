import { canonicalJson, fieldsOf } from '../../../core/index.ts';
import { getLogState } from '../ledger.ts';
import type { TraceHandle } from '../trace-handle.ts';
import { collectMessage, messagesItems, messagesTurn } from './anthropic-messages.ts';
import type { JsonFields } from './fields.ts';
import { intercept } from './intercept.ts';
import type { ConversationItem } from './items.ts';
import { chatItems, chatTurns, collectChat } from './openai-chat.ts';
import { collectResponse, responsesItems, responsesTurn } from './openai-responses.ts';
import { ConversationRecorder, type ModelTurn } from './recorder.ts';
import type { CallObserver } from './watcher.ts';

/** How one kind of request is read. */
interface ProviderApi {
  readonly items: (params: JsonFields) => ConversationItem[];
  readonly turns: (response: JsonFields, request: unknown) => readonly ModelTurn[];
  readonly collect: () => { add(item: JsonFields): void; result(): JsonFields };
  /** Parameters that hold the conversation, which is logged already. */
  readonly conversation: readonly string[];
  /** Whether the provider has the conversation until now, and the request only what is new. */
  readonly continues: (params: JsonFields) => boolean;
}

const chat: ProviderApi = {
  items: chatItems,
  turns: chatTurns,
  collect: collectChat,
  conversation: ['messages'],
  continues: () => false,
};
const responses: ProviderApi = {
  items: responsesItems,
  turns: (response, request) => [responsesTurn(response, request)],
  collect: collectResponse,
  conversation: ['input', 'instructions'],
  continues: (params) => isGiven(params.previous_response_id) || isGiven(params.conversation),
};
const messages: ProviderApi = {
  items: messagesItems,
  turns: (message, request) => [messagesTurn(message, request)],
  collect: collectMessage,
  conversation: ['messages', 'system'],
  continues: (params) => fieldsOf(params.thread).type === 'continue',
};

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/**
 * The same client of OpenAI, or of a provider that speaks like it, whose conversations are logged to a trace: each
 * message once, reasoning, tool calls, and results when they come with the next request. Streams are logged when they
 * are over; one that is left early with `extra.aborted`. Watched are `chat.completions.create`, `responses.create` and
 * `beta.responses.create`, also where helpers such as `parse`, `stream` and `runTools` call them. A bare response of
 * `asResponse()` is logged when its `body`, `json()` or `text()` is read.
 */
export const wrapOpenAI = <Client extends object>(client: Client, trace: TraceHandle): Client =>
  wrap(client, trace, {
    'chat.completions.create': chat,
    'responses.create': responses,
    'beta.responses.create': responses,
  });

/** The same for a client of Anthropic: `messages.create` and `beta.messages.create`, and their helpers. */
export const wrapAnthropic = <Client extends object>(client: Client, trace: TraceHandle): Client =>
  wrap(client, trace, { 'messages.create': messages, 'beta.messages.create': messages });

function wrap<Client extends object>(
  client: Client,
  trace: TraceHandle,
  dialects: Readonly<Record<string, ProviderApi>>,
): Client {
  const recorder = new ConversationRecorder(trace);
  const parameters = createParameters();
  const { report } = getLogState(trace);
  const methods = Object.entries(dialects).map(
    ([path, dialect]) =>
      [path, (params: unknown) => guarded(watch(recorder, dialect, fieldsOf(params), parameters), report)] as const,
  );
  return intercept(client, { methods: Object.fromEntries(methods), ready: trace.ready });
}

function watch(
  recorder: ConversationRecorder,
  dialect: ProviderApi,
  params: JsonFields,
  parameters: RequestParameters,
): () => CallObserver {
  return () => {
    recorder.request(dialect.items(params), dialect.continues(params));
    const request = parameters(params, dialect.conversation);
    const collected = dialect.collect();
    let isOver = false;
    let isBegun = false;
    const log = (response: JsonFields) => {
      for (const turn of dialect.turns(response, request)) recorder.turn(turn);
    };
    return {
      response: (value) => log(fieldsOf(value)),
      item(value) {
        isBegun = true;
        collected.add(fieldsOf(value));
      },
      end(error) {
        // Nothing was said before the first event.
        if (isOver || !isBegun) return;
        isOver = true;
        log(error === undefined ? collected.result() : { ...collected.result(), aborted: true });
      },
    };
  };
}

const NOTHING: CallObserver = { response: () => undefined, item: () => undefined, end: () => undefined };

/** A conversation goes on, whatever happens to its log. */
function guarded(make: () => CallObserver, report: (cause: unknown) => void): CallObserver {
  function attempt<T>(work: () => T, otherwise: T): T {
    try {
      return work();
    } catch (cause) {
      report(cause);
      return otherwise;
    }
  }
  const watcher = attempt(make, NOTHING);
  return {
    response: (value) => attempt(() => watcher.response(value), undefined),
    item: (value) => attempt(() => watcher.item(value), undefined),
    end: (error) => attempt(() => watcher.end(error), undefined),
  };
}

type RequestParameters = (params: JsonFields, conversation: readonly string[]) => JsonFields;

/** The parameters of a request, without the conversation, and without tools that are those of the request before. */
function createParameters(): RequestParameters {
  let lastTools = '';
  return (params, conversation) => {
    const tools = canonicalJson(params.tools);
    const known = tools === lastTools ? [...conversation, 'tools'] : conversation;
    lastTools = tools;
    return Object.fromEntries(Object.entries(params).filter(([name]) => !known.includes(name)));
  };
}
