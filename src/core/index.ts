export {
  abortable,
  aborted,
  type JoinedSignal,
  joinSignals,
  onAbort,
} from './abort.ts';
export { appendAll, largest, smallest } from './arrays.ts';
export { type Awaitable, andFinally, andThen, isPromiseLike, orElse, settle } from './awaitable.ts';
export { type Backoff, backoffMs, parseRetryAfter, retryDelayMs } from './backoff.ts';
export { fromBase64, toBase64 } from './base64.ts';
export { canonicalJson } from './canonical-json.ts';
export type { Span } from './decode-text.ts';
export { Condition, type Deferred, deferred, PendingPromises } from './deferred.ts';
export { errorCode, errorMessage, errorName, errorStack, isInstance, propertyOf } from './errors.ts';
export {
  equalJson,
  fieldsOf,
  hasToJson,
  isJsonObject,
  isJsonType,
  isRecord,
  type JSONObject,
  type JSONType,
  type JSONValue,
  jsonProblem,
  jsonTypeOf,
  ownProperty,
  previewJson,
  tryParseJson,
  walkJson,
} from './json.ts';
export {
  appendKey,
  decodeFragment,
  isWithin,
  parentPointer,
  pointerKeys,
  pointerPath,
  pointerSegment,
  toFragment,
  valueAt,
} from './json-pointer.ts';
export { checkValue, type SchemaIssue } from './json-schema/check.ts';
export {
  allowedTypes,
  choicesOf,
  describeLimits,
  describeType,
  namedTypes,
  propertiesOf,
  type SchemaProperty,
} from './json-schema/describe.ts';
export { flattenSchema, mergeSchemas, type SchemaBudget } from './json-schema/flatten.ts';
export { localizeSchema, modernizeLimits, modernizeTuple } from './json-schema/localize.ts';
export { choicePhrase, expectedPhrase, issuePhrase, typePhrase } from './json-schema/phrases.ts';
export { createResolver, type SchemaResolver } from './json-schema/resolve.ts';
export {
  asSchema,
  isSchema,
  type JSONSchema,
  listAt,
  mapSchemas,
  type SchemaPlace,
  schemasByName,
  schemasIn,
  stringsAt,
  subschemas,
  withoutKeywords,
} from './json-schema/walk.ts';
export { KeyedMutex, Mutex } from './mutex.ts';
export { isExactNumber, type JsonProblem, JsonSyntaxError, parseJson } from './parse-json.ts';
export { LEAST_SECRET_LENGTH } from './secret-matcher.ts';
export { createRedactor, masked, type Redactor, SECRET_MARKER } from './secrets.ts';
export { type AcquireOptions, mapConcurrent, Semaphore } from './semaphore.ts';
export { type DeadlineSignal, deadlineSignal, type SettleOptions, settlesWithin, withTimeout } from './timeout.ts';
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
