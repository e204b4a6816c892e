export { abortable, aborted, type JoinedSignal, joinSignals, onAbort } from './abort.ts';
export {
  appendAll,
  batchesOf,
  countBy,
  countFitting,
  definedFields,
  groupBy,
  largest,
  overrideMethods,
  smallest,
  standardErrorFrom,
  sum,
} from './arrays.ts';
export { type Awaitable, andFinally, andThen, isPromiseLike, orElse, PendingPromises, settle } from './awaitable.ts';
export { type Backoff, backoffMs, parseRetryAfter, retryDelayMs } from './backoff.ts';
export { drawBadge } from './badge.ts';
export { BoundedMap } from './bounded-map.ts';
export { fromBase64, parseDataUrl, toBase64, toDataUrl, toHex } from './bytes.ts';
export { CallMatcher } from './call-matcher.ts';
export { canonicalJson, equalJson, pythonJson } from './canonical-json.ts';
export type { TextSpan } from './decode-text.ts';
export { Condition, type Deferred, deferred } from './deferred.ts';
export {
  codeFrameOf,
  errorCode,
  errorMessage,
  errorName,
  errorStack,
  failureReason,
  hasCode,
  isInstance,
  isStackOverflow,
  networkErrorKind,
  propertyOf,
  rootCause,
} from './errors.ts';
export {
  csvRow,
  escapeMarkup,
  escapeRegExp,
  oneLine,
  quoteJs,
  shellCommand,
  shellQuote,
  stripControls,
  unicodeEscape,
} from './escape.ts';
export { ExactNumber, stringifyJson, wellFormedJson } from './exact-number.ts';
export {
  formatBytes,
  formatCount,
  formatDuration,
  formatNumber,
  joinWords,
  noun,
  plural,
} from './format.ts';
export {
  appendKey,
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
} from './json.ts';
export { firstJsonDifference, type JsonDifference } from './json-difference.ts';
export {
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
  commonTypes,
  describeLimits,
  describeType,
  namedTypes,
  propertiesOf,
  type SchemaProperty,
} from './json-schema/describe.ts';
export { flattenSchema, mergeSchemas, type SchemaBudget } from './json-schema/flatten.ts';
export {
  compareOwnProperties,
  danglingReference,
  OWN_PROPERTY_OPTIONS,
  withOwnLookups,
  withProtoPatterns,
} from './json-schema/own-properties.ts';
export { choicePhrase, expectedPhrase, issuePhrase, typePhrase } from './json-schema/phrases.ts';
export {
  createResolver,
  findCircularReference,
  hasNestedIds,
  localizeSchema,
  modernizeLimits,
  modernizeTuple,
  type SchemaResolver,
} from './json-schema/resolve.ts';
export {
  asSchema,
  isSchema,
  type JSONSchema,
  listAt,
  mapSchemas,
  schemasByName,
  schemasIn,
  stringsAt,
  subschemas,
  withoutKeywords,
} from './json-schema/walk.ts';
export { createLineSplitter, type Line, readLines } from './lines.ts';
export {
  claimName,
  didYouMean,
  editDistance,
  foldCase,
  mapAllowedNames,
  misspelledName,
  type NameRule,
  nearestName,
  PLAIN_NAME,
  sanitizeName,
  toAllowedNames,
  UnknownNameError,
  uniqueName,
  unknownName,
} from './names.ts';
export { isMissingPackage, loadOptionalPackage, MissingPackageError } from './optional-package.ts';
export { type NumberRange, parseInteger, parseNumber } from './parse.ts';
export { isExactNumber, type JsonProblem, JsonSyntaxError, parseExactJson, parseJson } from './parse-json.ts';
export { deriveSeed, randomBytes, randomId, randomSeed, seededRandom } from './random.ts';
export {
  createRedactor,
  headerSecrets,
  maskableSecrets,
  maskSpans,
  NO_REDACTION,
  RecentSecrets,
  type Redactor,
  SECRET_MARKER,
  tooShortWarning,
  urlSecrets,
} from './secrets.ts';
export { KeyedMutex, Mutex, mapConcurrent, Semaphore } from './semaphore.ts';
export {
  countedQuantiles,
  meanOf,
  nearestRankOf,
  type PairedDifference,
  type PassAtK,
  pairedDifference,
  passAtK,
  passCurve,
  quantilesOf,
  smooth,
  standardDeviationOf,
  standardErrorOf,
  studentT95,
} from './statistics.ts';
export { pythonStrip, truncate, wellFormedPrefix, withoutByteOrderMark } from './text.ts';
export { settlesWithin, withTimeout } from './timeout.ts';
export { deadlineSignal, delayedSignal, type SilenceSignal, silenceSignal } from './timeout-signals.ts';
export { clampTimerMs, MAX_TIMER_MS, poll, sleep, startTimer, startWatchdog } from './timers.ts';
export {
  bareHost,
  decodePercent,
  hasScheme,
  hostForUrl,
  isHttpUrl,
  isLoopbackHost,
  isPostgresUrl,
  parseBaseUrl,
  withoutCredentials,
  withoutTrailingSlashes,
} from './url.ts';
export { truncateBytes, utf8Length, utf8LengthAbove, utf8PieceEnd } from './utf8.ts';
export { firstTimes, warnOnce } from './warn.ts';
