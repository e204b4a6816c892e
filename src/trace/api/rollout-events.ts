import type { JSONObject, JSONValue, TraceId, TraceInput, TraceWarning } from '../../../generated/trace.ts';
import { ExactNumber, isJsonObject, isRecord, ownProperty, pointerSegment, stringifyJson } from '../../core/index.ts';
import { sha256OfJson } from '../../core/node/index.ts';

/**
 * Reads events of the OpenReward client and of programs that write the same form. A value of another type than documented
 * is kept as far as possible, with a warning: Python has `True`, `NaN` and integers of any size.
 */

/** A message as it waits for its predecessors. Values of another type than documented are in `sent`, by their field. */
export interface ReadMessage {
  readonly eventId: string;
  readonly rolloutEventId: string;
  readonly index: number;
  readonly timestamp?: number;
  readonly type: string;
  readonly content?: JSONValue;
  readonly summary?: string | null;
  readonly contentReference?: string | null;
  readonly name?: string | null;
  readonly callId?: string | null;
  readonly reward?: JSONValue;
  readonly isFinished?: boolean | null;
  readonly metadata?: JSONValue;
  readonly sent?: JSONObject;
  /** Fields that are not documented. */
  readonly fields?: JSONObject;
}

/** An event, or the reason why it cannot be read. */
export type ReadEvent =
  | {
      readonly kind: 'start';
      readonly trace: TraceInput & { readonly id: TraceId };
      /** Time of the event in milliseconds since 1970. */
      readonly at: number | undefined;
      readonly warnings: readonly TraceWarning[];
    }
  | {
      readonly kind: 'message';
      readonly traceId: TraceId;
      readonly message: ReadMessage;
      readonly warnings: readonly TraceWarning[];
    }
  | {
      readonly kind: 'update';
      readonly traceId: TraceId;
      readonly info: JSONObject;
      readonly warnings: readonly TraceWarning[];
    }
  | { readonly kind: 'unreadable'; readonly path: string; readonly expected: string };

/** Reads an event. @param lastIndex index of the previous message of a rollout, for a message without one. */
export function readRolloutEvent(event: unknown, lastIndex: (traceId: TraceId) => number): ReadEvent {
  if (!isJsonObject(event) || event instanceof ExactNumber) {
    return { kind: 'unreadable', path: '', expected: 'an object' };
  }
  const { eventType } = event;
  const idField = eventType === 'message' ? 'rolloutEventId' : 'eventId';
  const traceId = readId(event[idField]);
  if (eventType !== 'rollout' && eventType !== 'message' && eventType !== 'rollout_update') {
    return { kind: 'unreadable', path: '/eventType', expected: 'rollout, message or rollout_update' };
  }
  if (traceId === undefined) return { kind: 'unreadable', path: pointerSegment(idField), expected: 'an id' };
  if (eventType === 'rollout') return readStart(event, `tr_${traceId}`);
  if (eventType === 'rollout_update') return readUpdate(event, `tr_${traceId}`);
  return readMessage(event, `tr_${traceId}`, lastIndex);
}

const ID = /^[0-9A-Za-z_-]{1,48}$/;

/** Returns an id that fits into the ids of the store: a text or number of another form becomes its hash. */
function readId(id: unknown): string | undefined {
  if (typeof id === 'string' && ID.test(id)) return id;
  if (id === undefined || id === null || id === '' || typeof id === 'boolean' || Array.isArray(id)) return undefined;
  if (isRecord(id) && !(id instanceof ExactNumber)) return undefined;
  return `h_${sha256OfJson(typeof id === 'string' ? id : stringifyJson(id)).slice(0, 32)}`;
}

/** Collects the warnings of an event. */
class Warnings {
  readonly list: TraceWarning[] = [];
  readonly #eventId: string;

  constructor(eventId: string) {
    this.#eventId = eventId;
  }

  add(path: string, message: string): void {
    this.list.push({ event_id: this.#eventId, path, message });
  }

  /** Warns about each number of a value that a double does not represent. */
  addNumbers(value: unknown, path: string): void {
    if (this.list.length >= MAX_EVENT_WARNINGS) return;
    if (value instanceof ExactNumber) {
      this.add(path, `${shortText(value.literal)} is not exact as a double; kept as it was sent`);
    } else if (isMarkedNumber(value)) {
      this.add(path, `${value.$number} is not JSON; kept as {"$number": "${value.$number}"}`);
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) this.addNumbers(item, `${path}/${index}`);
    } else if (isRecord(value)) {
      for (const [key, item] of Object.entries(value)) {
        this.addNumbers(item, path + pointerSegment(key).slice(0, MAX_KEY).toWellFormed());
      }
    }
  }
}

/** A trace lists at most 100 warnings. */
const MAX_EVENT_WARNINGS = 20;
const MAX_KEY = 100;
const MAX_TEXT = 40;

const shortText = (text: string): string => (text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`);
const quoted = (value: unknown): string =>
  value === undefined ? 'nothing' : shortText(stringifyJson(value).toWellFormed());

/** Returns true for the form in which `parseJson` returns NaN and Infinity. */
const isMarkedNumber = (value: unknown): value is { readonly $number: string } =>
  isRecord(value) && NON_FINITE.includes(value.$number) && Object.keys(value).length === 1;

const NON_FINITE: readonly unknown[] = ['NaN', 'Infinity', '-Infinity'];

const START_FIELDS = [
  'eventType',
  'eventId',
  'timestamp',
  'runName',
  'rolloutName',
  'environment',
  'variant',
  'split',
  'step',
  'metadata',
  'task_spec',
  'run_info',
  'rollout_info',
];

/** Maximum lengths of the texts of a trace; longer ones are cut, because they are in indexes of the database. */
const MAX_NAME = 256;

function readStart(event: JSONObject, id: TraceId): ReadEvent {
  const warnings = new Warnings(id.slice('tr_'.length));
  const kept: JSONObject = {};
  const text = (field: string): string | null => {
    const value = event[field];
    if (value === undefined || value === null) return null;
    const full = typeof value === 'string' ? value : stringifyJson(value);
    if (typeof value === 'string' && full !== '' && full.length <= MAX_NAME) return full;
    kept[field] = value;
    if (full === '') return null;
    if (typeof value !== 'string') warnings.add(`/${field}`, `${quoted(value)} is not text; used as text`);
    if (full.length <= MAX_NAME) return full;
    warnings.add(`/${field}`, `the text has more than ${MAX_NAME} characters; cut, and whole in rollout_info.event`);
    return `${full.slice(0, MAX_NAME - 18).toWellFormed()}…${sha256OfJson(full).slice(0, 16)}`;
  };
  const object = (field: string): JSONObject | null => {
    const value = event[field];
    if (value === undefined || value === null) return null;
    warnings.addNumbers(value, `/${field}`);
    if (isJsonObject(value) && !(value instanceof ExactNumber)) return value;
    warnings.add(`/${field}`, `${quoted(value)} is not an object; kept as {"$value": ...}`);
    return { $value: value };
  };
  const { step, timestamp } = event;
  if (step !== undefined && step !== null && !isIndex(step)) {
    kept.step = step;
    warnings.add('/step', `${quoted(step)} is not a whole number from 0; kept in rollout_info.event`);
  }
  const texts = {
    run: text('runName'),
    name: text('rolloutName'),
    environment: text('environment'),
    variant: text('variant'),
    split: text('split'),
  };
  const run_info = object('run_info') ?? {};
  const model = run_info.model_name;
  const info = object('rollout_info') ?? {};
  const others = Object.entries(event).filter(([field]) => !START_FIELDS.includes(field));
  // The values are those of a JSON object.
  const about = { ...Object.fromEntries(others), ...kept } as JSONObject;
  const trace = {
    id,
    ...texts,
    step: isIndex(step) ? step : null,
    ...updatedPosition({ step: isIndex(step) ? step : null, rollout_info: {} }, info),
    metadata: object('metadata') ?? {},
    task_spec: object('task_spec'),
    run_info,
    rollout_info: Object.keys(about).length > 0 ? { ...info, event: about } : info,
    model: typeof model === 'string' && model.length <= MAX_NAME ? model : null,
  };
  return { kind: 'start', trace, at: readTime(timestamp, warnings), warnings: warnings.list };
}

/** Returns true for a position or count: a whole number from 0. */
const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** The year 2255, after which microseconds exceed the safe integers. */
const MAX_TIME_MS = Number.MAX_SAFE_INTEGER / 1000 - 1;

function readTime(timestamp: unknown, warnings: Warnings): number | undefined {
  if (timestamp === undefined || timestamp === null) return undefined;
  if (typeof timestamp === 'number' && timestamp >= 0 && timestamp <= MAX_TIME_MS) return timestamp;
  warnings.add('/timestamp', `${quoted(timestamp)} is not a time in milliseconds; the time of the store is used`);
  return undefined;
}

function readUpdate(event: JSONObject, traceId: TraceId): ReadEvent {
  const warnings = new Warnings(traceId.slice('tr_'.length));
  const { rollout_info: info = null } = event;
  if (info === null) return { kind: 'update', traceId, info: {}, warnings: [] };
  warnings.addNumbers(info, '/rollout_info');
  if (isJsonObject(info) && !(info instanceof ExactNumber)) {
    for (const field of ['task_index', 'current_step']) {
      const value = info[field];
      if (value === undefined || value === null || isIndex(value)) continue;
      warnings.add(
        `/rollout_info/${field}`,
        `${quoted(value)} is not a whole number from 0; kept only in rollout_info`,
      );
    }
    return { kind: 'update', traceId, info, warnings: warnings.list };
  }
  warnings.add('/rollout_info', `${quoted(info)} is not an object; kept as {"$value": ...}`);
  return { kind: 'update', traceId, info: { $value: info }, warnings: warnings.list };
}

const MESSAGE_FIELDS = [
  'eventType',
  'eventId',
  'rolloutEventId',
  'timestamp',
  'index',
  'type',
  'content',
  'summary',
  'contentReference',
  'name',
  'callId',
  'reward',
  'isFinished',
  'metadata',
];

const TYPES: readonly unknown[] = [
  'system_message',
  'user_message',
  'assistant_message',
  'reasoning',
  'tool_call',
  'tool_result',
];

function readMessage(event: JSONObject, traceId: TraceId, lastIndex: (traceId: TraceId) => number): ReadEvent {
  const eventId = readId(event.eventId) ?? `h_${sha256OfJson(event).slice(0, 32)}`;
  const warnings = new Warnings(eventId);
  const sent: JSONObject = {};
  const keep = (field: string, message: string): void => {
    const { [field]: value } = event;
    if (value !== undefined) sent[field] = value;
    warnings.add(`/${field}`, `${quoted(event[field])} ${message}`);
  };
  if (readId(event.eventId) === undefined) keepMissing(event, 'eventId', keep);
  const others = Object.entries(event).filter(([field]) => !MESSAGE_FIELDS.includes(field));
  warnings.addNumbers(event.metadata, '/metadata');
  const message: ReadMessage = {
    eventId,
    rolloutEventId: traceId.slice('tr_'.length),
    index: readIndex(event, () => lastIndex(traceId), keep),
    ...optional('timestamp', readTime(event.timestamp, warnings)),
    type: readType(event, keep),
    ...optional('content', event.content),
    ...optional('summary', readText(event, 'summary', keep)),
    ...optional('contentReference', readText(event, 'contentReference', keep)),
    ...optional('name', readText(event, 'name', keep)),
    ...optional('callId', readText(event, 'callId', keep)),
    ...optional('reward', readReward(event, warnings, keep)),
    ...optional('isFinished', readFinished(event, keep)),
    ...optional('metadata', event.metadata),
    ...(Object.keys(sent).length > 0 ? { sent } : {}),
    ...(others.length > 0 ? { fields: Object.fromEntries(others) as JSONObject } : {}),
  };
  return { kind: 'message', traceId, message, warnings: warnings.list };
}

type Keep = (field: string, message: string) => void;

const optional = <Field extends string, T>(field: Field, value: T | null | undefined) =>
  // The field is absent or has a value.
  (value === undefined || value === null ? {} : { [field]: value }) as { [F in Field]?: T };

function keepMissing(event: JSONObject, field: string, keep: Keep): void {
  if (event[field] !== undefined && event[field] !== null) keep(field, 'is not an id; replaced by a hash of the event');
}

function readIndex(event: JSONObject, last: () => number, keep: Keep): number {
  const { index } = event;
  if (isIndex(index)) return index;
  if (typeof index === 'string' && /^\d{1,15}$/.test(index)) return Number(index);
  if (index !== undefined && index !== null)
    keep('index', 'is not a whole number from 0; the order of arrival is used');
  return last();
}

function readType(event: JSONObject, keep: Keep): string {
  const { type = null } = event;
  if (TYPES.includes(type)) return String(type);
  keep('type', 'is not a known type; stored as a message of the user');
  return 'user_message';
}

function readText(event: JSONObject, field: string, keep: Keep): string | undefined {
  const value = event[field];
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined;
  keep(field, 'is not text; used as text');
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : stringifyJson(value);
}

/** Returns a boolean as 1 or 0, as Python counts it, and any other value unchanged. */
function readReward(event: JSONObject, warnings: Warnings, keep: Keep): JSONValue | undefined {
  const { reward = null } = event;
  if (reward === null || typeof reward === 'number') return reward ?? undefined;
  if (typeof reward === 'boolean') {
    keep('reward', `is not a number; counted as ${Number(reward)}`);
    return Number(reward);
  }
  // Otherwise an ExactNumber, which counts as the nearest double, or NaN.
  const before = warnings.list.length;
  warnings.addNumbers(reward, '/reward');
  if (warnings.list.length === before) {
    warnings.add('/reward', `${quoted(reward)} is not a number; kept, but not counted`);
  }
  return reward;
}

/** Accepts 1 and 0, as Python does. */
function readFinished(event: JSONObject, keep: Keep): boolean | undefined {
  const { isFinished = null } = event;
  if (isFinished === null || typeof isFinished === 'boolean') return isFinished ?? undefined;
  const isTrue = isFinished === 1;
  if (isTrue || isFinished === 0) keep('isFinished', `is not a boolean; read as ${isTrue}`);
  else keep('isFinished', 'is not a boolean; kept, but the rollout is not finished by it');
  return isTrue;
}

/** Returns the step and the task_index that an update sets, if they are valid. */
export function updatedPosition(
  trace: { readonly step: number | null; readonly rollout_info: JSONObject },
  info: JSONObject,
): Pick<TraceInput, 'step' | 'task_index'> {
  const { task_index, current_step: step } = info;
  // A step with which the rollout was started stays.
  const isOwn = trace.step === null || trace.step === ownProperty(trace.rollout_info, 'current_step');
  return {
    ...(isIndex(step) && isOwn ? { step } : {}),
    ...(isIndex(task_index) ? { task_index } : {}),
  };
}
