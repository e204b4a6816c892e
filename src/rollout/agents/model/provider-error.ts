import {
  errorMessage,
  failureReason,
  fieldsOf,
  NO_REDACTION,
  networkErrorKind,
  oneLine,
  parseRetryAfter,
  truncate,
  tryParseJson,
} from '../../../core/index.ts';

/** What of an error of a provider's package, or of the network, is known. */
export interface ProviderError {
  /** Of the HTTP answer, or as a stream tells it. */
  readonly status: number | undefined;
  /** One line, as the provider says it. */
  readonly message: string;
  /** The same with its codes. */
  readonly text: string;
  readonly retryAfterMs: number | undefined;
  readonly error: unknown;
}

/** With which an episode ends, and which failures are. */
export type ProviderErrorKind = 'context_overflow' | 'refusal' | 'again' | 'key' | 'no_model' | 'quota' | 'final';

const MAX_MESSAGE_LENGTH = 500;

/** @param redactor masks the key, which some providers repeat when they refuse it. */
export function parseProviderError(error: unknown, now: number, redactor = NO_REDACTION): ProviderError {
  const { statusCode, status, code, type, message, responseBody, responseHeaders } = fieldsOf(error);
  const body = fieldsOf(typeof responseBody === 'string' ? tryParseJson(responseBody) : undefined);
  const inner = fieldsOf(body.error);
  const known = [statusCode, status, code, inner.code].find((value) => typeof value === 'number' && value >= 400);
  const output = [inner.message, body.message, message, error].find(
    (value) => typeof value === 'string' && value !== '',
  );
  const reason = output === undefined || output === message ? reasonOf(error) : String(output);
  const line = truncate(oneLine(redactor.text(reason)), MAX_MESSAGE_LENGTH);
  return {
    status: known as number | undefined,
    message: line,
    // Not the whole body, in which some servers repeat the conversation.
    text: [line, code, type, inner.code, inner.type].filter((part) => typeof part === 'string').join('\n'),
    retryAfterMs: retryAfterMs(fieldsOf(responseHeaders), now),
    error,
  };
}

/** Reads `Retry-After` in ms, and the finer header of some providers. */
export function retryAfterMs(headers: Readonly<Record<string, unknown>>, now: number): number | undefined {
  const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const fine = parseRetryAfter(textOf(headers['retry-after-ms']), now);
  return fine === undefined ? parseRetryAfter(textOf(headers['retry-after']), now) : fine / 1_000;
}

/** Providers say it in many ways, and few have a code for it. */
const OVERFLOW = new RegExp(
  [
    'context_length_exceeded|context_window_exceeded|exceed_context_size',
    'maximum (context|prompt) length|context (length|window|size|limit)',
    '(prompt|input) is too long|too many (input )?tokens|(input|prompt) token count|reduce the length of the',
    'input length and .max_tokens. exceed|too large for model with',
  ].join('|'),
  'i',
);
const REFUSAL =
  /content.?filter|content.?(policy|management policy)|usage polic|moderation|flagged|responsible.?ai|"?invalid_prompt/i;
/** With which a provider refuses what was said; a stream has no status. */
const REFUSED: readonly (number | undefined)[] = [400, 403, 422, undefined];
const QUOTA = /insufficient_quota|exceeded your current quota|credit balance|billing/i;
/** Room for the answer that no conversation would leave. */
const ANSWER_TOO_LARGE = /max_(completion_|output_|new_)?tokens\W[\s\S]{0,60}too large/i;

/** What an error means. `isFirst`: nothing was said yet, so the conversation did not grow too long. */
export function classifyProviderError({ status, text, error }: ProviderError, isFirst: boolean): ProviderErrorKind {
  if (status === 429) return QUOTA.test(text) ? 'quota' : 'again';
  if (status === 402) return 'quota';
  if (status === 401) return 'key';
  if (REFUSED.includes(status) && REFUSAL.test(text)) return 'refusal';
  if (status === 403) return 'key';
  if (status === 404) return 'no_model';
  if (OVERFLOW.test(text)) return isFirst && ANSWER_TOO_LARGE.test(text) ? 'final' : 'context_overflow';
  if (status === undefined) return isMistake(error) ? 'final' : 'again';
  return status >= 500 || status === 408 || status === 409 || status === 425 ? 'again' : 'final';
}

/** What no repetition mends: settings that a package refuses, and faults in code. */
const MISTAKES: readonly unknown[] = [
  ...['AI_LoadAPIKeyError', 'AI_LoadSettingError', 'AI_UnsupportedFunctionalityError', 'AI_InvalidArgumentError'],
  ...['AI_InvalidPromptError', 'AI_NoSuchModelError', 'ReferenceError', 'SyntaxError', 'RangeError'],
];

function isMistake(error: unknown): boolean {
  const kind = networkErrorKind(error);
  if (kind === 'certificate' || kind === 'permanent') return true;
  const { name, message, cause } = fieldsOf(error);
  // Of the platform's fetch and streams, whose connection broke.
  if (name === 'TypeError') return cause === undefined && !/terminated|fetch failed|network/i.test(String(message));
  return MISTAKES.includes(name);
}

/** Streams and some servers send JSON in place of an error. */
function reasonOf(error: unknown): string {
  const { name, message } = fieldsOf(error);
  if (typeof name === 'string' || typeof message === 'string') return failureReason(error);
  try {
    return JSON.stringify(error) ?? errorMessage(error);
  } catch {
    return errorMessage(error);
  }
}
