import type { BlockInput, JSONObject, JSONValue, Trace, TraceId, TraceInput } from '../../../generated/trace.ts';
import { validators } from '../../../generated/trace-validators.ts';
import { BoundedMap, errorMessage, fieldsOf, groupBy, isRecord, KeyedMutex, stringifyJson } from '../../core/index.ts';
import { asString } from '../conversation/index.ts';
import { offloadFields, splitAndOffloadBlock } from '../fit/index.ts';
import { isAgentSpan, readSpan, type Span, type SpanContent } from '../formats/index.ts';
import { forEachBatch, type TraceLimits, TraceStoreError } from '../model/index.ts';
import { type TraceStore, traceKey } from '../store/index.ts';
import { readWholeTrace } from './export.ts';
import { type SpanBlock, SpanTrace, type ThreadAgent } from './span-trace.ts';

/** Numbers of spans that were stored and rejected, with the reason. */
interface SpanReceipt {
  /** Number of written blocks. */
  readonly written: number;
  readonly rejected: number;
  readonly reasons: readonly string[];
}

/** Stores spans of OpenTelemetry as traces. */
export interface SpanReceiver {
  /** Resolves when the spans are on disk. Spans without attributes of agents are ignored, unless their trace is stored. */
  receive(org: string, spans: readonly Span[], annotations: JSONObject): Promise<SpanReceipt>;
}

/** Number of traces whose conversations stay in memory; others are read from the store again. */
const MAX_OPEN = 500;
/** Attempts if another server writes to the same trace. */
const TRIES = 3;

/** Creates the receiver of a store. */
export function createSpanReceiver(store: TraceStore, limits: TraceLimits): SpanReceiver {
  const mutex = new KeyedMutex<string>();
  const open = new BoundedMap<string, SpanTrace>(MAX_OPEN);
  return {
    async receive(org, spans, annotations) {
      let written = 0;
      let rejected = 0;
      const reasons = new Set<string>();
      for (const [traceId, own] of groupBy(spans, (span) => span.traceId)) {
        const key = traceKey(org, `tr_${traceId}`);
        const target = { store, org, limits, annotations, open, key };
        const { failures, count } = await mutex.run(key, () => writeWithRetries(target, sortByEnd(own)));
        written += count;
        rejected += failures.length;
        for (const failure of failures) reasons.add(failure);
      }
      return { written, rejected, reasons: [...reasons] };
    },
  };
}

interface SpanTarget {
  readonly store: TraceStore;
  readonly org: string;
  readonly limits: TraceLimits;
  /** Annotations of the server for each block. */
  readonly annotations: JSONObject;
  readonly open: BoundedMap<string, SpanTrace>;
  readonly key: string;
}

type Spans = readonly [Span, ...Span[]];

/** Maximum depth of spans inside each other that are written before the outer one. */
const MAX_DEPTH = 64;

/**
 * Returns spans in the order in which they ended. Those of one instrumentation were sent in this order; times decide only
 * between instrumentations, since times of some SDKs are a millisecond off. Inner spans come before outer ones.
 */
function sortByEnd(spans: Spans): Spans {
  const queues = [...groupBy(spans, ({ scope }) => scope).values()].map((own) => ({ own, next: 0 }));
  const merged: Span[] = [];
  while (merged.length < spans.length) {
    const waiting = queues.filter(({ own, next }) => next < own.length);
    const first = waiting.reduce(
      (min, queue) => (endOfNext(queue) < endOfNext(min) ? queue : min),
      waiting[0] as Queue,
    );
    merged.push(first.own[first.next++] as Span);
  }
  const children = groupBy(merged, ({ parentSpanId }) => parentSpanId);
  const sorted = new Set<Span>();
  const add = (span: Span, depth: number): void => {
    if (sorted.has(span)) return;
    if (depth < MAX_DEPTH) for (const child of children.get(span.spanId) ?? []) add(child, depth + 1);
    sorted.add(span);
  };
  for (const span of merged) add(span, 0);
  return [...sorted] as unknown as Spans;
}

interface Queue {
  readonly own: readonly Span[];
  next: number;
}

const endOfNext = ({ own, next }: Queue): number => own[next]?.end ?? Number.POSITIVE_INFINITY;

interface WrittenSpans {
  /** Number of written blocks. */
  readonly count: number;
  /** A reason for each rejected block or span. */
  readonly failures: readonly string[];
}

/** Writes the spans of a trace. */
async function writeWithRetries(target: SpanTarget, spans: Spans): Promise<WrittenSpans> {
  for (let tries = 1; ; tries++) {
    try {
      return await writeSpans(target, spans);
    } catch (error) {
      if (!(error instanceof TraceStoreError)) throw error;
      const isOutdated = error.body.code === 'BLOCK_ID_CONFLICT' || error.body.code === 'TRACE_ID_CONFLICT';
      if (!isOutdated || tries === TRIES) return { count: 0, failures: spans.map(() => error.message) };
    }
  }
}

async function writeSpans(target: SpanTarget, spans: Spans): Promise<WrittenSpans> {
  const { store, org, open, key } = target;
  const id: TraceId = `tr_${spans[0].traceId}`;
  let trace = await store.trace(org, id).catch((error: unknown) => {
    if (!(error instanceof TraceStoreError) || error.body.code !== 'TRACE_NOT_FOUND') throw error;
  });
  if (!trace && !spans.some(isAgentSpan)) return { count: 0, failures: [] };
  const contents = spans.map(readSpan);
  trace ??= (await store.createTrace(org, inputOf(id, spans, contents), earliestStart(spans))).trace;
  const known = open.get(key);
  const spanTrace = known?.size === trace.block_count ? known : await restoreSpanTrace(target, trace, spans[0]);
  const others: JSONObject[] = [];
  const usage: Record<string, number> = {};
  for (const [index, span] of spans.entries()) {
    const content = contents[index];
    if (!content || spanTrace.has(span.spanId)) continue;
    const raw = describeSpan(span, content.rest, trace);
    if (!spanTrace.add(span, content, raw)) others.push(await offloadAttributes(target, raw));
    if (content.kind === 'model') addUsage(usage, content.extra.usage);
  }
  const blocks = spanTrace.takeBlocks();
  const failures = await appendBlocks(target, trace, blocks);
  const root = spans.find(({ parentSpanId }) => parentSpanId === undefined);
  const patch = {
    ...(root ? { status: root.isFailed ? ('error' as const) : ('finished' as const) } : {}),
    ...(root && trace.name === null ? { name: nameOf(root) } : {}),
    ...metadataPatch(trace, spans, contents, { others, agents: spanTrace.agents() }),
    ...(Object.keys(usage).length > 0 ? { rollout_info: { usage: addUsage(usage, trace.rollout_info.usage) } } : {}),
  };
  if (Object.keys(patch).length > 0) await store.updateTrace(org, id, patch);
  // A block that was rejected has no ordinal.
  if (failures.length === 0) open.set(key, spanTrace);
  return { count: blocks.length - failures.length, failures };
}

const earliestStart = (spans: Spans): number => spans.reduce((min, { start }) => Math.min(min, start), spans[0].start);

/** Reads the conversations of a stored trace. */
async function restoreSpanTrace({ store, org }: SpanTarget, trace: Trace, first: Span): Promise<SpanTrace> {
  const spanTrace = new SpanTrace(first);
  for (const span of spansOf(trace)) spanTrace.skip(span);
  if (trace.block_count === 0) return spanTrace;
  const reader = await readWholeTrace(store, org, trace);
  await forEachBatch(reader.read(reader.layout.ordinals()), ({ block }) => spanTrace.restore(block));
  return spanTrace;
}

/** Maximum number of blocks in one write. */
const MAX_BATCH = 200;

/** Writes blocks; leaves out those that the store rejects. @returns the reasons. */
async function appendBlocks(target: SpanTarget, { id }: Trace, blocks: readonly SpanBlock[]): Promise<string[]> {
  const { store, org, limits, annotations: metadata } = target;
  const failures: string[] = [];
  const write = async (part: readonly SpanBlock[]) => {
    const body: BlockInput[] = [];
    const times: number[] = [];
    for (const { block, time } of part) {
      const fitted = await splitAndOffloadBlock(block, limits);
      for (const blob of fitted.blobs) await store.putBlob(org, blob);
      for (const piece of fitted.blocks) {
        body.push(piece);
        times.push(time);
      }
    }
    await store.append(org, id, { body: { blocks: body }, limits, times, metadata });
  };
  for (let start = 0; start < blocks.length; start += MAX_BATCH) {
    const batch = blocks.slice(start, start + MAX_BATCH);
    try {
      await write(batch);
    } catch (error) {
      if (!isRejection(error)) throw error;
      for (const block of batch) {
        await write([block]).catch((cause: unknown) => {
          if (!isRejection(cause)) throw cause;
          failures.push(errorMessage(cause));
        });
      }
    }
  }
  return failures;
}

const isRejection = (error: unknown): boolean =>
  error instanceof TraceStoreError &&
  !['BLOCK_ID_CONFLICT', 'TRACE_NOT_FOUND', 'TRACE_DELETED'].includes(error.body.code);

/** Attributes of the resource or of a span that set fields of the trace, such as `ors.trace.run`. */
const TRACE_TEXTS = ['name', 'run', 'environment', 'variant', 'split', 'group_id', 'model'] as const;
const TRACE_NUMBERS = ['task_index', 'step', 'rollout_index'] as const;

function inputOf(id: TraceId, spans: Spans, contents: readonly SpanContent[]): TraceInput & { readonly id: TraceId } {
  const of = (field: string) => {
    const key = `ors.trace.${field}`;
    return spans[0].resource[key] ?? spans.find(({ attributes }) => attributes[key] !== undefined)?.attributes[key];
  };
  const { model, sampling } = contents.find((content) => content.kind === 'model') ?? {};
  const texts = TRACE_TEXTS.map((field) => [field, of(field) ?? (field === 'model' ? model : undefined)] as const);
  // OTEL_RESOURCE_ATTRIBUTES has only texts.
  const numbers = TRACE_NUMBERS.map((field) => [field, of(field)] as const).map(
    ([field, value]) => [field, typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value] as const,
  );
  const fields = [...texts, ...numbers].filter(
    ([field, value]) => validators.TraceInput({ [field]: value }) && value != null,
  );
  const resource = spans[0].resource as JSONObject;
  return { id, ...Object.fromEntries(fields), metadata: { ...(sampling && { sampling }), otel: { resource } } };
}

const nameOf = (root: Span): string => (asString(root.attributes['gen_ai.agent.name']) || root.name).slice(0, 1024);

function addUsage(usage: Record<string, number>, more: unknown): Record<string, number> {
  for (const [name, count] of Object.entries(fieldsOf(more))) {
    if (typeof count === 'number') usage[name] = (usage[name] ?? 0) + count;
  }
  return usage;
}

/** Describes a span without the parts that become blocks. */
function describeSpan(span: Span, rest: Readonly<Record<string, unknown>>, { metadata }: Trace): JSONObject {
  const { resource } = fieldsOf(metadata.otel);
  const isOther = stringifyJson(resource ?? {}) !== stringifyJson(span.resource);
  const described = {
    span_id: span.spanId,
    ...(span.parentSpanId && { parent_span_id: span.parentSpanId }),
    name: span.name,
    ...(span.scope && { scope: span.scope }),
    start: new Date(span.start).toISOString(),
    end: new Date(span.end).toISOString(),
    ...(span.isFailed && { error: span.failure || true }),
    attributes: rest,
    ...(span.events.length > 0 && { events: span.events }),
    ...(span.links.length > 0 && { links: span.links }),
    ...(isOther && { resource: span.resource }),
  };
  // Attributes are JSON.
  return described as unknown as JSONObject;
}

/** Larger attributes of spans without a block are stored as blobs, since lists of traces have the metadata. */
const MAX_ATTRIBUTE_BYTES = 1024;

async function offloadAttributes({ store, org }: SpanTarget, span: JSONObject): Promise<JSONObject> {
  // describeSpan() has added them.
  const { fields, blobs } = await offloadFields(span.attributes as JSONObject, MAX_ATTRIBUTE_BYTES);
  for (const blob of blobs) await store.putBlob(org, blob);
  return { ...span, attributes: fields };
}

/** Maximum number of spans without a block that a trace keeps; later ones are counted. */
const MAX_SPANS = 1000;

const spansOf = ({ metadata }: Trace): readonly Readonly<Record<string, unknown>>[] => {
  const { spans } = fieldsOf(metadata.otel);
  return Array.isArray(spans) ? spans.filter(isRecord) : [];
};

interface MetadataChanges {
  /** Spans that have no block. */
  readonly others: readonly JSONObject[];
  readonly agents: ReadonlyMap<number, ThreadAgent>;
}

/** Returns the metadata with the changes, and with tools, session and user if they are known. */
function metadataPatch(
  trace: Trace,
  spans: Spans,
  contents: readonly SpanContent[],
  { others, agents }: MetadataChanges,
): { readonly metadata?: JSONObject } {
  const found: Record<string, JSONValue | undefined> = {
    tools: toolsIn(contents),
    session_id: attributeOf(spans, 'session.id', 'gen_ai.conversation.id'),
    user_id: attributeOf(spans, 'user.id'),
  };
  const added = Object.entries(found).filter(
    ([key, value]) => value !== undefined && trace.metadata[key] === undefined,
  );
  const threads = threadsPatch(trace, agents);
  if (added.length === 0 && others.length === 0 && !threads) return {};
  const otel = fieldsOf(trace.metadata.otel);
  const all = [...spansOf(trace), ...others];
  const omitted = Number(otel.omitted_spans ?? 0) + Math.max(0, all.length - MAX_SPANS);
  const kept = { ...otel, spans: all.slice(0, MAX_SPANS), ...(omitted > 0 && { omitted_spans: omitted }) };
  const changes = { ...Object.fromEntries(added), ...(threads && { threads }), otel: kept };
  return { metadata: { ...trace.metadata, ...changes } as JSONObject };
}

/** Maximum number of conversations whose agents are named in a trace. */
const MAX_THREADS = 1000;

/** Returns `metadata.threads` with agents that it does not have yet, by `extra.thread`; undefined without changes. */
function threadsPatch({ metadata }: Trace, agents: MetadataChanges['agents']): JSONObject | undefined {
  const known = fieldsOf(metadata.threads);
  const changed = [...agents].flatMap(([thread, agent]): [string, JSONObject][] => {
    const before = fieldsOf(known[thread]);
    const isNew = Object.keys(agent).some((field) => before[field] === undefined);
    return isNew && thread <= MAX_THREADS ? [[String(thread), { ...agent, ...before } as JSONObject]] : [];
  });
  return changed.length === 0 ? undefined : ({ ...known, ...Object.fromEntries(changed) } as JSONObject);
}

/** Returns the tools of the first span that has some. */
function toolsIn(contents: readonly SpanContent[]): JSONValue | undefined {
  const [tools] = contents.flatMap((each) => (each.kind !== 'tool' && each.tools.length > 0 ? [each.tools] : []));
  // Tool specs are JSON.
  return tools as unknown as JSONValue;
}

function attributeOf(spans: Spans, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = spans.map(({ attributes }) => attributes[key]).find((each) => typeof each === 'string');
    if (value !== undefined) return asString(value);
  }
  return undefined;
}
