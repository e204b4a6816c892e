import { parseInteger } from '../../core/index.ts';
/** The most bytes that each field may have; exactly so many are allowed. Source: trace data model, limits. */
export interface TraceLimits {
  /** `payload.content` of a MESSAGE; 64 KB. */
  readonly message: number;
  /** `payload.text` of a THINK; 32 KB. */
  readonly think: number;
  /** `payload.arguments` of a TOOL_CALL, parsed; 256 KB. */
  readonly toolArguments: number;
  /** `payload.output` or `payload.delta` of a TOOL_RESULT; 2 MB. */
  readonly toolResult: number;
  /** The body of a whole request; 16 MB. */
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

/** JSON may write one byte as six characters: `\u0000`. */
const MAX_ESCAPE_LENGTH = 6;

/**
 * The limits that environment variables choose; each has its default where the variable is not set.
 *
 * @throws RangeError that names variable and value, for a value that is no positive whole number, and for a request
 * limit that the largest field, escaped, would not fit.
 */
export function readTraceLimits(env: Readonly<Record<string, string | undefined>>): TraceLimits {
  const limits: TraceLimits = {
    message: readLimit(env, 'message'),
    think: readLimit(env, 'think'),
    toolArguments: readLimit(env, 'toolArguments'),
    toolResult: readLimit(env, 'toolResult'),
    request: readLimit(env, 'request'),
  };
  const largest = FIELDS.reduce((max, field) => (limits[field] > limits[max] ? field : max));
  const min = MAX_ESCAPE_LENGTH * limits[largest] + 1;
  if (limits.request >= min) return limits;
  throw new RangeError(
    `${VARIABLES.request.name} is ${limits.request}; it must be at least ${min}, because ${VARIABLES[largest].name} ` +
      `is ${limits[largest]} and JSON may write each byte as ${MAX_ESCAPE_LENGTH}`,
  );
}

function readLimit(env: Readonly<Record<string, string | undefined>>, limit: keyof TraceLimits): number {
  const { name, bytes } = VARIABLES[limit];
  const text = env[name];
  if (text === undefined) return bytes;
  const given = parseInteger(text, { min: 1 });
  if (given !== undefined) return given;
  throw new RangeError(
    `${name} is ${JSON.stringify(text)}; it must be a positive whole number of bytes, such as ${bytes}`,
  );
}
