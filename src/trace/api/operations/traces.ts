import type { operations } from '../../../../generated/trace-api.ts';
import { document } from '../../../../generated/trace-api-document.ts';
import { equalJson, mapConcurrent } from '../../../core/index.ts';
import { sha256OfJson } from '../../../core/node/index.ts';
import { type Handlers, HttpError, NO_DESCRIPTORS, NOTHING, PlainText, Reply } from '../../../http/index.ts';
import {
  idempotencyMismatch,
  scoreIssues,
  TraceStoreError,
  toTraceSummary,
  validationError,
} from '../../model/index.ts';
import type { TraceStore } from '../../store/index.ts';
import { parseCaller } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { validateBody } from '../errors.ts';
import { toTraceQuery, toTraceSearch } from '../export.ts';

type Traces = 'listTraces' | 'createTrace' | 'getTrace' | 'updateTrace' | 'updateTraces' | 'deleteTrace';

export const traceHandlers: Pick<Handlers<operations, ApiContext>, Traces> = {
  async listTraces({ path, query }, { store }) {
    const { limit = 100, ...filters } = query;
    const { items, next_cursor } = await store.traces(path.org, { ...toTraceQuery(filters), limit });
    return { traces: [...items], page: { next_cursor } };
  },
  async createTrace(request, { store }) {
    const { path, header } = request;
    const input = validateBody('TraceInput', request);
    const key = header['Idempotency-Key'];
    const id = input.id ?? (key && `tr_${sha256OfJson([path.org, key]).slice(0, 32)}`);
    const isByKey = input.id === undefined && key !== undefined;
    const { trace, isNew } = await store
      .createTrace(path.org, id === undefined ? input : { ...input, id })
      .catch((error: unknown) => {
        const isTaken = isByKey && error instanceof TraceStoreError && error.body.code === 'TRACE_ID_CONFLICT';
        throw isTaken ? new TraceStoreError(idempotencyMismatch(key)) : error;
      });
    return new Reply(trace, {}, isNew ? 201 : 200);
  },
  getTrace: ({ path }, { store }) => store.trace(path.org, path.traceId),
  updateTrace: (request, { store }) =>
    store.updateTrace(request.path.org, request.path.traceId, validateBody('TracePatch', request)),
  async deleteTrace({ path }, { store }) {
    await store.deleteTrace(path.org, path.traceId);
    return new Reply(NOTHING, {}, 204);
  },
  async updateTraces(request, { store }) {
    const { org } = request.path;
    const { trace_ids, add_tags: add = [], remove_tags: remove = [], ...others } = validateBody('BulkInput', request);
    const isDeletion = others.delete ?? false;
    const hasTags = add.length + remove.length > 0;
    if (isDeletion === hasTags) {
      const got = hasTags ? 'both' : 'neither';
      throw new TraceStoreError(
        validationError([{ path: '/delete', rule: 'bulk', expected: 'either true, or left out with tags', got }]),
      );
    }
    const changes = await mapConcurrent(new Set(trace_ids), CHANGES, async (id) => {
      const changing = isDeletion ? deleteTrace(store, org, id) : changeTags(store, org, id, { add, remove });
      return await changing.catch((error: unknown) => {
        if (!(error instanceof TraceStoreError)) throw error;
        return { trace_id: id, code: error.body.code, message: error.message };
      });
    });
    return {
      changed: changes.filter((change) => change === true).length,
      failed: changes.flatMap((change) => (typeof change === 'object' ? [change] : [])),
    };
  },
};

/** Number of traces that are changed at the same time. */
const CHANGES = 8;
const MAX_TAGS = 100;

/** @returns true if the trace was changed. */
type TraceChange = Promise<boolean>;

const deleteTrace = (store: TraceStore, org: string, id: string): TraceChange =>
  store.deleteTrace(org, id).then(
    () => true,
    (error: unknown) => {
      if (error instanceof TraceStoreError && error.body.code === 'TRACE_DELETED') return false;
      throw error;
    },
  );

interface TagChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

async function changeTags(store: TraceStore, org: string, id: string, { add, remove }: TagChange): TraceChange {
  const { tags } = await store.trace(org, id);
  const kept = tags.filter((tag) => !remove.includes(tag));
  const changed = [...new Set([...kept, ...add])];
  if (changed.length > MAX_TAGS) {
    const expected = `at most ${MAX_TAGS} tags of ${id}`;
    throw new TraceStoreError(
      validationError([{ path: '/add_tags', rule: 'bulk', expected, got: String(changed.length) }]),
    );
  }
  if (equalJson(changed, tags)) return false;
  await store.updateTrace(org, id, { tags: changed });
  return true;
}

type Runs = 'listRuns' | 'runStats' | 'listTraceSummaries' | 'listGroups';

export const runHandlers: Pick<Handlers<operations, ApiContext>, Runs> = {
  async listRuns({ path, query }, { store }) {
    const { details = false, pass = 1, limit = 100, query: search, ...listed } = query;
    const { items, next_cursor } = await store.runs(path.org, {
      ...listed,
      limit,
      ...(search !== undefined && { query: toTraceSearch(search) }),
      ...(details && { details: { pass } }),
    });
    return { runs: [...items], page: { next_cursor } };
  },
  async listTraceSummaries({ path, query }, { store }) {
    const { limit = 100, ...filters } = query;
    const { items, next_cursor } = await store.traces(path.org, { ...toTraceQuery(filters), has_parent: false, limit });
    return { summaries: items.map(toTraceSummary), page: { next_cursor } };
  },
  runStats: ({ path, query: { bins = 20, ...filters } }, { store }) =>
    store.runStats(path.org, path.run, bins, toTraceQuery(filters)),
  async listGroups({ path, query }, { store }) {
    const { limit = 100, query: search, ...listed } = query;
    const { items, next_cursor } = await store.groups(path.org, {
      ...listed,
      limit,
      ...(search !== undefined && { query: toTraceSearch(search) }),
    });
    return { groups: [...items], page: { next_cursor } };
  },
};

type Service = 'getAccess' | 'healthz' | 'readyz' | 'metrics' | 'openapi';

export const traceServiceHandlers: Pick<Handlers<operations, ApiContext>, Service> = {
  getAccess({ caller }) {
    const { org, scopes } = parseCaller(caller);
    return { organization: org, scopes: [...scopes] };
  },
  healthz: () => ({ status: 'ok' }),
  async readyz(_request, { store, descriptors }) {
    if (descriptors?.check() === false) throw new HttpError(503, NO_DESCRIPTORS, { 'Retry-After': '5' });
    await store.checkWritable().catch((error: Error) => {
      throw new HttpError(503, `the store cannot write: ${error.message}`, { 'Retry-After': '5' });
    });
    return { status: 'ok' };
  },
  metrics(_request, { metrics }) {
    if (!metrics) throw new HttpError(404, 'this server was started without metrics');
    return new PlainText(metrics.text(), 'text/plain; version=0.0.4; charset=utf-8');
  },
  openapi: () => document as never,
};

type Scores = 'listScores' | 'createScore' | 'deleteScore';

export const scoreHandlers: Pick<Handlers<operations, ApiContext>, Scores> = {
  async listScores({ path, query }, { store }) {
    const { items, next_cursor } = await store.scores(path.org, { ...query, limit: query.limit ?? 100 });
    return { scores: [...items], page: { next_cursor } };
  },
  async createScore(request, { store }) {
    const input = validateBody('ScoreInput', request);
    const issues = scoreIssues(input);
    if (issues.length > 0) throw new TraceStoreError(validationError(issues));
    const { key } = parseCaller(request.caller);
    const author = input.author ?? key;
    const added = { ...input, ...(author !== undefined && { author }) };
    const { score, isNew } = await store.addScore(request.path.org, added);
    return new Reply(score, {}, isNew ? 201 : 200);
  },
  async deleteScore({ path }, { store }) {
    await store.deleteScore(path.org, path.scoreId);
    return new Reply(NOTHING, {}, 204);
  },
};
