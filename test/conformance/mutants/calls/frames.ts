import { changedFrames, changedResult, isFor, type Wire, type WireAnswer, type WireRequest } from '../wire.ts';

/** The body of a call. */
export interface CallBody {
  readonly name?: unknown;
  readonly input?: unknown;
  readonly task_id?: unknown;
}

export interface Output {
  readonly blocks: readonly Record<string, unknown>[];
  readonly metadata: unknown;
  readonly reward: number | null;
  readonly finished: boolean;
}

type Result = { readonly ok: true; readonly output: Output } | { readonly ok: false; readonly error: string };

/** The body of a request as a JSON object; undefined if it is none. */
export function objectOf({ body }: WireRequest): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The body of a request, if it is a call. */
export const callOf = (request: WireRequest): CallBody | undefined =>
  request.method === 'POST' && isFor(request, 'call') ? objectOf(request) : undefined;

/** The input of a call; without one, no fields. */
export const inputOf = (call: CallBody | undefined): Record<string, unknown> =>
  isObject(call?.input) ? call.input : {};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The call that most checks look at: of the first tool of the fixture, with the input that is made for it. */
export const isSample = (call: CallBody): boolean => call.name === 'echo' && inputOf(call).text === '';

/** A tool by its name, calls by a condition, or all. */
type Which = string | ((call: CallBody) => boolean) | undefined;

const isOf = (call: CallBody, which: Which): boolean =>
  typeof which === 'function' ? which(call) : which === undefined || call.name === which;

export const sidOf = ({ headers }: WireRequest): string => String(headers['x-session-id']);

export const withBody = (request: WireRequest, body: unknown): WireRequest => ({
  ...request,
  body: Buffer.from(JSON.stringify(body)),
});

export const jsonAnswer = (status: number, body: unknown): WireAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
});

/** Calls whose body is changed before the server sees it; undefined leaves one as it is. */
export const changedCalls =
  (change: (call: CallBody, request: WireRequest) => CallBody | undefined): NonNullable<Wire['request']> =>
  (request) => {
    const call = callOf(request);
    const changed = call && change(call, request);
    return changed ? withBody(request, changed) : request;
  };

/** Calls of one tool whose input is changed before the server sees it. */
export const changedInputs = (tool: string, change: (input: Record<string, unknown>) => Record<string, unknown>) =>
  changedCalls((call) =>
    call.name === tool && isObject(call.input) ? { ...call, input: change(call.input) } : undefined,
  );

/** Changes the JSON results of calls; for results that fit into one event. */
export const changedResults = (
  which: Which,
  change: (result: Result, call: CallBody, request: WireRequest) => unknown,
) =>
  changedResult((result: Result, request) => {
    const call = callOf(request);
    return call && isOf(call, which) ? change(result, call, request) : result;
  });

/** The same for outputs of calls that succeed. */
export const changedOutputs = (
  which: Which,
  change: (output: Output, call: CallBody, request: WireRequest) => unknown,
) =>
  changedResults(which, (result, call, request) =>
    result.ok ? { ...result, output: change(result.output, call, request) } : result,
  );

/** The same for their blocks. */
export const changedBlocks = (which: Which, change: (blocks: Output['blocks']) => unknown) =>
  changedOutputs(which, (output) => ({ ...output, blocks: change(output.blocks) }));

/** Calls whose frames are changed one by one; null leaves one out. */
export const changedFramesOf = (which: Which, change: (frame: string, call: CallBody) => string | null) =>
  changedFrames((frame, request) => {
    const call = callOf(request);
    return call && isOf(call, which) ? change(frame, call) : frame;
  });

/** Calls of a tool of the fixture that come to this event instead of to what they come to. */
export const endingIn = (tool: string, frameFor: (call: CallBody) => string | undefined) =>
  changedFramesOf(tool, (frame, call) => (/^event: (end|error)\n/.test(frame) ? (frameFor(call) ?? frame) : frame));

export const endFrame = (result: unknown): string => `event: end\ndata: ${JSON.stringify(result)}\n\n`;

/** A whole output with some fields of its own. */
export const outputWith = (fields: object): object => ({
  blocks: [{ text: 'bad', detail: null, type: 'text' }],
  metadata: null,
  reward: null,
  finished: false,
  ...fields,
});
