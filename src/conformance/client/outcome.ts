import { fieldsOf, formatDuration, isRecord, previewJson, truncate } from '../../core/index.ts';
import { assertConforms, UntestableError, ViolationError } from '../assertions.ts';

/** Kinds of failures that adapters distinguish. Source: docs/conformance-client.md */
const ERROR_KINDS = ['tool_refused', 'tool_crashed', 'session_lost', 'http', 'gave_up', 'other'] as const;

export interface ClientError {
  readonly kind: (typeof ERROR_KINDS)[number];
  readonly message: string;
  readonly status: number | null;
  /** Reason of a refused call; undefined if the client has none. */
  readonly reason: string | undefined;
}

/** Outcome of a command. */
export type CommandOutcome<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'error'; readonly error: ClientError }
  /** The adapter did not respond in time. */
  | { readonly kind: 'silence'; readonly afterMs: number }
  /** The process of the adapter ended. */
  | { readonly kind: 'end'; readonly how: string };

const MAX_COUNT = 300;

export const shorten = (text: string): string => truncate(text, MAX_COUNT);

/** Describes an outcome in a message: `returned the error tool_refused 'no'`. */
export function describeOutcome(outcome: CommandOutcome<unknown>): string {
  if (outcome.kind === 'value') return `returned ${shorten(JSON.stringify(outcome.value) ?? 'nothing')}`;
  if (outcome.kind === 'silence') return `returned nothing within ${formatDuration(outcome.afterMs)}`;
  if (outcome.kind === 'end') return `ended the client's process: ${outcome.how}`;
  const { kind, message, status } = outcome.error;
  return `returned the error ${kind}${status === null ? '' : ` (${status})`} '${shorten(message)}'`;
}

/** Returns the value of a step before the actual check. `what` names the command. @throws UntestableError */
export function assumeValue<T>(outcome: CommandOutcome<T>, what: string): T {
  if (outcome.kind === 'value') return outcome.value;
  throw new UntestableError(`${what} ${describeOutcome(outcome)}`);
}

/** Asserts that a command has succeeded, and returns its value. @throws ViolationError */
export function ensureValue<T>(outcome: CommandOutcome<T>, what: string): T {
  if (outcome.kind === 'value') return outcome.value;
  throw new ViolationError(`${what} ${describeOutcome(outcome)}`);
}

/** Asserts that a command has failed, with any kind of error. @throws ViolationError */
export function ensureError(outcome: CommandOutcome<unknown>, what: string): ClientError {
  if (outcome.kind === 'error') return outcome.error;
  throw new ViolationError(`${what} ${describeOutcome(outcome)}`);
}

/** Result of a call; null for missing fields. */
export interface CallValue {
  readonly blocks: readonly BlockValue[];
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly reward: number | null;
  readonly finished: boolean;
}

export interface BlockValue {
  readonly type: string;
  readonly text?: unknown;
  readonly [field: string]: unknown;
}

export interface MessageValue {
  readonly role: string;
  readonly blocks: readonly BlockValue[];
}

export interface ToolValue {
  readonly name: string;
  readonly [field: string]: unknown;
}

export interface DiscoveryValue {
  readonly splits: readonly string[];
  readonly tools: readonly ToolValue[];
}

/** The adapter violates its protocol, which says nothing about the client. */
export class AdapterError extends UntestableError {
  constructor(message: string) {
    super(`the adapter violates its protocol (docs/conformance-client.md): ${message}`);
  }
}

const wrong = (command: string, form: string, value: unknown) =>
  new AdapterError(
    `it responded to '${command}' with ${value === undefined ? 'nothing' : previewJson(value)} instead of ${form}`,
  );

const isBlock = (value: unknown): value is BlockValue => isRecord(value) && typeof value.type === 'string';
const isTool = (value: unknown): value is ToolValue => isRecord(value) && typeof value.name === 'string';

/** @param command `call` or `answer` */
export function parseCallValue(value: unknown, command = 'call'): CallValue {
  const form = '{"blocks": [...], "metadata": {...} or null, "reward": number or null, "finished": boolean}';
  const { blocks, metadata, reward, finished } = fieldsOf(value);
  const isRight =
    Array.isArray(blocks) &&
    blocks.every(isBlock) &&
    (metadata === null || isRecord(metadata)) &&
    (reward === null || typeof reward === 'number') &&
    typeof finished === 'boolean';
  if (!isRight) throw wrong(command, form, value);
  return { blocks, metadata, reward, finished };
}

export function parseBlockValues(value: unknown): readonly BlockValue[] {
  if (Array.isArray(value) && value.every(isBlock)) return value;
  throw wrong('prompt', 'a list of blocks', value);
}

export function parseMessageValues(value: unknown): readonly MessageValue[] {
  const isMessage = (each: unknown): each is MessageValue => {
    const { role, blocks } = fieldsOf(each);
    return typeof role === 'string' && Array.isArray(blocks) && blocks.every(isBlock);
  };
  if (Array.isArray(value) && value.every(isMessage)) return value;
  throw wrong('messages', 'a list of messages, each with role and blocks', value);
}

export function parseToolValues(value: unknown): readonly ToolValue[] {
  if (Array.isArray(value) && value.every(isTool)) return value;
  throw wrong('tools', 'a list of tools', value);
}

export function parseDiscoveryValue(value: unknown): DiscoveryValue {
  const form = '{"splits": [names], "tools": [tools]}';
  const { splits, tools } = fieldsOf(value);
  const isRight =
    Array.isArray(splits) &&
    splits.every((name) => typeof name === 'string') &&
    Array.isArray(tools) &&
    tools.every(isTool);
  if (!isRight) throw wrong('discover', form, value);
  return { splits, tools };
}

export function parseClientError(command: string, value: unknown): ClientError {
  const { kind: name, message, status, reason } = fieldsOf(value);
  const kind = ERROR_KINDS.find((each) => each === name);
  if (kind === undefined || typeof message !== 'string') {
    throw wrong(command, `an error with one of the kinds ${ERROR_KINDS.join(', ')} and a message`, value);
  }
  const isReason = typeof reason === 'string';
  return { kind, message, status: typeof status === 'number' ? status : null, reason: isReason ? reason : undefined };
}

/** Asserts that a call has returned exactly one text block with this text. @throws ViolationError */
export function ensureText(outcome: CommandOutcome<CallValue>, text: string, what: string): CallValue {
  const value = ensureValue(outcome, what);
  const [block, ...others] = value.blocks;
  const isRight = block?.type === 'text' && block.text === text && others.length === 0;
  assertConforms(isRight, `${what} returned ${difference(value, text)}`);
  return value;
}

/** Describes the first difference between two texts, which may be long. */
function difference({ blocks }: CallValue, text: string): string {
  const found = blocks.length === 1 ? blocks[0]?.text : undefined;
  if (typeof found !== 'string') return `${shorten(JSON.stringify(blocks))} instead of one text block`;
  let at = 0;
  while (at < text.length && text[at] === found[at]) at++;
  const around = (value: string) => JSON.stringify(value.slice(Math.max(0, at - 10), at + 20));
  const lengths = `${found.length} characters instead of ${text.length}`;
  return `${lengths}: at character ${at} ${around(found)} instead of ${around(text)}`;
}
