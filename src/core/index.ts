export {
  abortable,
  aborted,
  type JoinedSignal,
  joinSignals,
  onAbort,
} from './abort.ts';
export {
  appendAll,
  type BatchLimits,
  countBy,
  countFitting,
  definedFields,
  groupBy,
  largest,
  smallest,
  sum,
} from './arrays.ts';
export { type Awaitable, andFinally, andThen, isPromiseLike, orElse, settle } from './awaitable.ts';
export { type Backoff, backoffMs, parseRetryAfter, retryDelayMs } from './backoff.ts';
export { BoundedMap, firstTimes } from './bounded-map.ts';
export { type DataUrl, fromBase64, parseDataUrl, toBase64, toHex, utf8Length, utf8LengthAbove } from './bytes.ts';
export type { Span } from './decode-text.ts';
export { Condition, type Deferred, deferred, PendingPromises } from './deferred.ts';
export {
  errorCode,
  errorMessage,
  errorName,
  errorStack,
  failureReason,
  hasCode,
  isInstance,
  isMissingPackage,
  isStackOverflow,
  networkErrorKind,
  propertyOf,
  rootCause,
} from './errors.ts';
export { escapeMarkup, escapeRegExp, quoteJs, shellCommand, shellQuote, unicodeEscape } from './escape.ts';
export { formatBytes, formatCount, formatDuration, formatNumber } from './format.ts';
export { createLineSplitter, type Line, type LineSplitter, readLines } from './lines.ts';
export { KeyedMutex, Mutex } from './mutex.ts';
export { editDistance, nearestName, uniqueName } from './names.ts';
export { type NumberRange, parseDuration, parseInteger, parseNumber, parseSize } from './parse.ts';
export { hash32, randomBytes, randomId, seededRandom } from './random.ts';
export {
  createRedactor,
  headerSecrets,
  maskableSecrets,
  maskSpans,
  NO_REDACTION,
  type Redactor,
  SECRET_MARKER,
  tooShortWarning,
  urlSecrets,
} from './secrets.ts';
export { type AcquireOptions, mapConcurrent, Semaphore } from './semaphore.ts';
export { joinWords, noun, oneLine, plural, stripControls, truncate, wellFormedPrefix } from './text.ts';
export {
  type DeadlineSignal,
  deadlineSignal,
  delayedSignal,
  type SettleOptions,
  settlesWithin,
  withTimeout,
} from './timeout.ts';
export {
  clampTimerMs,
  LONGEST_TIMER_MS,
  poll,
  sleep,
  startTimer,
  startWatchdog,
  type TimerOptions,
  type Watchdog,
} from './timers.ts';
export {
  bareHost,
  decodePercent,
  hasScheme,
  hostForUrl,
  isHttpUrl,
  isLoopbackHost,
  parseHttpUrl,
  withoutCredentials,
  withoutTrailingSlashes,
} from './url.ts';
