import { parseInteger, stringifyJson, utf8Length, utf8LengthAbove } from '../../core/index.ts';

/** Maximum number of bytes of each field, inclusive. Source: trace data model, limits. */
export interface TraceLimits {
  /** `payload.content` of a MESSAGE; 64 KB. */
  readonly message: number;
  /** `payload.text` of a THINK; 32 KB. */
  readonly think: number;
  /** `payload.arguments` of a TOOL_CALL, parsed; 256 KB. */
  readonly toolArguments: number;
  /** `payload.output` or `payload.delta` of a TOOL_RESULT; 2 MB. */
  readonly toolResult: number;
  /** The body of a request; 16 MB, or six times the largest field. */
  readonly request: number;
}

const KB = 1024;

const VARIABLES: Readonly<Record<keyof TraceLimits, { readonly name: string; readonly bytes: number }>> = {
  message: { name: 'LIMIT_MSG_BYTES', bytes: 64 * KB },
  think: { name: 'LIMIT_THINK_BYTES', bytes: 32 * KB },
  toolArguments: { name: 'LIMIT_TOOL_ARGS_BYTES', bytes: 256 * KB },
  toolResult: { name: 'LIMIT_TOOL_RESULT_BYTES', bytes: 2 * KB * KB },
  request: { name: 'LIMIT_REQUEST_BYTES', bytes: 16 * KB * KB },
};

const FIELDS = ['message', 'think', 'toolArguments', 'toolResult'] as const;

/** JSON can encode one byte as six characters: `\u0000`. */
const MAX_ESCAPE_LENGTH = 6;

/**
 * Reads the limits from environment variables, with a default for each. The default of the request limit follows the
 * largest field.
 *
 * @throws RangeError for a value that is not a positive integer, and for a request limit below the size of the largest
 * field when escaped.
 */
export function readTraceLimits(env: Readonly<Record<string, string | undefined>>): TraceLimits {
  const fields = {
    message: readLimit(env, 'message'),
    think: readLimit(env, 'think'),
    toolArguments: readLimit(env, 'toolArguments'),
    toolResult: readLimit(env, 'toolResult'),
  };
  const largest = FIELDS.reduce((max, field) => (fields[field] > fields[max] ? field : max));
  const min = minRequestLimit(fields[largest]);
  if (env[VARIABLES.request.name] === undefined) return withRequestLimit(fields);
  const limits: TraceLimits = { ...fields, request: readLimit(env, 'request') };
  if (limits.request >= min) return limits;
  throw new RangeError(
    `invalid ${VARIABLES.request.name}: expected at least ${min}, got ${limits.request}; ${VARIABLES[largest].name} ` +
      `is ${limits[largest]}, and JSON can encode each byte as ${MAX_ESCAPE_LENGTH}`,
  );
}

const minRequestLimit = (largestField: number): number => MAX_ESCAPE_LENGTH * largestField + 1;

/** Adds the default of the request limit: 16 MB, or more if a field could need it. */
export function withRequestLimit(fields: Omit<TraceLimits, 'request'>): TraceLimits {
  const largest = Math.max(...FIELDS.map((field) => fields[field]));
  return { ...fields, request: Math.max(VARIABLES.request.bytes, minRequestLimit(largest)) };
}

function readLimit(env: Readonly<Record<string, string | undefined>>, field: keyof TraceLimits): number {
  const { name, bytes } = VARIABLES[field];
  const text = env[name];
  if (text === undefined) return bytes;
  const limit = parseInteger(text, { min: 1 });
  if (limit !== undefined) return limit;
  throw new RangeError(
    `invalid ${name}: expected a positive integer of bytes, such as ${bytes}, got ${JSON.stringify(text)}`,
  );
}

/**
 * Returns the UTF-8 bytes of a limited field: of a string without quotes and escapes, of any other value as compact
 * JSON.
 */
export const fieldBytes = (value: unknown): number => utf8Length(fieldText(value));

const fieldText = (value: unknown): string => (typeof value === 'string' ? value : (stringifyJson(value) ?? ''));

/** Returns the bytes of a limited field if they exceed the limit. */
export const bytesOver = (limit: number, value: unknown): number | undefined =>
  utf8LengthAbove(limit, fieldText(value));

const UNITS = [
  { bytes: 1024 * 1024, name: 'MB' },
  { bytes: 1024, name: 'KB' },
] as const;

/** Formats a size the way the standard does: `2MB`, `64KB`, or `100 bytes` if neither is exact. */
export function sizeText(bytes: number): string {
  const unit = UNITS.find((candidate) => bytes % candidate.bytes === 0);
  return unit ? `${bytes / unit.bytes}${unit.name}` : `${bytes} bytes`;
}
