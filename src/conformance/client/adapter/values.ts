import { isRecord, previewJson } from '../../../core/index.ts';
import { UntestableError } from '../../verdict.ts';
import { type ClientError, ERROR_KINDS } from './outcome.ts';

/** What a call gave, with null where there is nothing. */
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

export interface ToolValue {
  readonly name: string;
  readonly [field: string]: unknown;
}

export interface DiscoveryValue {
  readonly splits: readonly string[];
  readonly tools: readonly ToolValue[];
}

/** The adapter's answer does not have the form that it should have: no fault of the client. */
export class AdapterError extends UntestableError {
  constructor(message: string) {
    super(`the adapter is wrong, not the client: ${message}; docs/conformance-client.md says what it should do`);
  }
}

const wrong = (command: string, form: string, value: unknown) =>
  new AdapterError(
    `it answered '${command}' with ${value === undefined ? 'nothing' : previewJson(value)} instead of ${form}`,
  );

const isBlock = (value: unknown): value is BlockValue => isRecord(value) && typeof value.type === 'string';
const isTool = (value: unknown): value is ToolValue => isRecord(value) && typeof value.name === 'string';

export function parseCallValue(value: unknown): CallValue {
  const form = '{"blocks": [...], "metadata": {...} or null, "reward": number or null, "finished": boolean}';
  if (!isRecord(value)) throw wrong('call', form, value);
  const { blocks, metadata, reward, finished } = value;
  const isRight =
    Array.isArray(blocks) &&
    blocks.every(isBlock) &&
    (metadata === null || isRecord(metadata)) &&
    (reward === null || typeof reward === 'number') &&
    typeof finished === 'boolean';
  if (!isRight) throw wrong('call', form, value);
  return { blocks, metadata, reward, finished };
}

export function parseBlockValues(value: unknown): readonly BlockValue[] {
  if (Array.isArray(value) && value.every(isBlock)) return value;
  throw wrong('prompt', 'a list of blocks', value);
}

export function parseToolValues(value: unknown): readonly ToolValue[] {
  if (Array.isArray(value) && value.every(isTool)) return value;
  throw wrong('tools', 'a list of tools', value);
}

export function parseDiscoveryValue(value: unknown): DiscoveryValue {
  const form = '{"splits": [names], "tools": [tools]}';
  if (!isRecord(value)) throw wrong('discover', form, value);
  const { splits, tools } = value;
  const isRight =
    Array.isArray(splits) &&
    splits.every((name) => typeof name === 'string') &&
    Array.isArray(tools) &&
    tools.every(isTool);
  if (!isRight) throw wrong('discover', form, value);
  return { splits, tools };
}

export function parseClientError(command: string, value: unknown): ClientError {
  const kind = isRecord(value) ? ERROR_KINDS.find((each) => each === value.kind) : undefined;
  if (!isRecord(value) || kind === undefined || typeof value.message !== 'string') {
    throw wrong(command, `an error with one of the kinds ${ERROR_KINDS.join(', ')} and a message`, value);
  }
  return { kind, message: value.message, status: typeof value.status === 'number' ? value.status : null };
}
