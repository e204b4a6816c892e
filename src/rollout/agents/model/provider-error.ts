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

/** Error of a provider's package or of the network. */
export interface ProviderError {
  /** Status of the HTTP response, or of an error event in a stream. */
  readonly status: number | undefined;
  /** Message of the provider, on one line. */
  readonly message: string;
  /** Message and codes. */
  readonly text: string;
  readonly retryAfterMs: number | undefined;
  readonly error: unknown;
}

/** `context_overflow` and `refusal` are stop reasons, `temporary` is retried, and the others are failures. */
export type ProviderErrorKind = 'context_overflow' | 'refusal' | 'temporary' | 'key' | 'no_model' | 'quota' | 'final';

const MAX_MESSAGE_LENGTH = 500;

/** @param redactor masks the API key, which some providers repeat when they reject it. */
export function parseProviderError(error: unknown, now: number, redactor = NO_REDACTION): ProviderError {
  const { statusCode, status, code, type, message, responseBody, responseHeaders } = fieldsOf(error);
  const body = fieldsOf(typeof responseBody === 'string' ? tryParseJson(responseBody) : undefined);
  const inner = fieldsOf(body.error);
  const known = [statusCode, status, code, inner.code].find((value) => typeof value === 'number' && value >= 400);
  const found = [inner.message, body.message, message, error].find(
    (value) => typeof value === 'string' && value !== '',
  );
  const reason = found === undefined || found === message ? reasonOf(error) : String(found);
  const line = truncate(oneLine(redactor.text(reason)), MAX_MESSAGE_LENGTH);
  return {
    status: known as number | undefined,
    message: line,
    // Not the whole body: some servers repeat the conversation in it.
    text: [line, code, type, inner.code, inner.type].filter((part) => typeof part === 'string').join('\n'),
    retryAfterMs: retryAfterMs(fieldsOf(responseHeaders), now),
    error,
  };
}

/** Returns `Retry-After` in milliseconds. Some providers also send `retry-after-ms`, which is more precise. */
export function retryAfterMs(headers: Readonly<Record<string, unknown>>, now: number): number | undefined {
  const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const precise = parseRetryAfter(textOf(headers['retry-after-ms']), now);
  return precise === undefined ? parseRetryAfter(textOf(headers['retry-after']), now) : precise / 1_000;
}

/** Few providers have a code for this error, so its messages are matched. */
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
/** Statuses of refusals; errors in a stream have none. */
const REFUSAL_STATUSES: readonly (number | undefined)[] = [400, 403, 422, undefined];
const QUOTA = /insufficient_quota|exceeded your current quota|credit balance|billing/i;
/** The requested output limit alone exceeds the context window. */
const OUTPUT_LIMIT_TOO_LARGE = /max_(completion_|output_|new_)?tokens\W[\s\S]{0,60}too large/i;

/** Classifies an error. With `isFirst` the model has not responded yet, so the conversation cannot have grown too long. */
export function classifyProviderError({ status, text, error }: ProviderError, isFirst: boolean): ProviderErrorKind {
  if (status === 429) return QUOTA.test(text) ? 'quota' : 'temporary';
  if (status === 402) return 'quota';
  if (status === 401) return 'key';
  if (REFUSAL_STATUSES.includes(status) && REFUSAL.test(text)) return 'refusal';
  if (status === 403) return 'key';
  if (status === 404) return 'no_model';
  if (OVERFLOW.test(text)) return isFirst && OUTPUT_LIMIT_TOO_LARGE.test(text) ? 'final' : 'context_overflow';
  if (status === undefined) return isPermanent(error) ? 'final' : 'temporary';
  return status >= 500 || status === 408 || status === 409 || status === 425 ? 'temporary' : 'final';
}

/** Names of errors that a retry cannot fix: settings that a provider's package rejects, and bugs. */
const PERMANENT_ERRORS: readonly unknown[] = [
  'AI_LoadAPIKeyError',
  'AI_LoadSettingError',
  'AI_UnsupportedFunctionalityError',
  'AI_InvalidArgumentError',
  'AI_InvalidPromptError',
  'AI_NoSuchModelError',
  'ReferenceError',
  'SyntaxError',
  'RangeError',
];

function isPermanent(error: unknown): boolean {
  const kind = networkErrorKind(error);
  if (kind === 'certificate' || kind === 'permanent') return true;
  const { name, message, cause } = fieldsOf(error);
  // The platform's fetch and streams throw a TypeError if the connection breaks.
  if (name === 'TypeError') return cause === undefined && !/terminated|fetch failed|network/i.test(String(message));
  return PERMANENT_ERRORS.includes(name);
}

/** Streams and some servers return JSON instead of an error. */
function reasonOf(error: unknown): string {
  const { name, message } = fieldsOf(error);
  if (typeof name === 'string' || typeof message === 'string') return failureReason(error);
  try {
    return JSON.stringify(error) ?? errorMessage(error);
  } catch {
    return errorMessage(error);
  }
}
