import type {
  RolloutEvent,
  RolloutMessage,
  RolloutRun,
  RolloutStarted,
  Run,
  TraceId,
  TraceInput,
} from '../../../../generated/trace.ts';
import type { operations } from '../../../../generated/trace-api.ts';
import { groupBy } from '../../../core/index.ts';
import type { Handlers } from '../../../http/index.ts';
import { runNotFound, TraceStoreError } from '../../model/index.ts';
import type { StorePage } from '../../store/index.ts';
import { parseCaller } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { validateBody } from '../errors.ts';

type Rollouts = 'logRollouts' | 'listRolloutRuns' | 'getRolloutRun' | 'listRollouts';

/** Operations of the OpenReward client and its command line. */
export const rolloutHandlers: Pick<Handlers<operations, ApiContext>, Rollouts> = {
  async logRollouts(request, { store, rolloutReceiver }) {
    const { org } = parseCaller(request.caller);
    const { events } = validateBody('RolloutEvents', request);
    for (const event of events) if (isStart(event)) await store.createTrace(org, toTrace(event));
    for (const [trace, messages] of byRollout(events)) await rolloutReceiver.receive(org, trace, messages);
    for (const event of events) {
      if (event.eventType !== 'rollout_update') continue;
      await store.updateTrace(org, traceIdOf(event.eventId), { rollout_info: event.rollout_info ?? {} });
    }
    return { accepted: events.length };
  },
  async listRolloutRuns({ query, caller }, { store }) {
    const { limit = 20, offset = 0, search } = query;
    const { org } = parseCaller(caller);
    const all = await allOf((cursor) =>
      store.runs(org, { limit: 1000, ...cursor, ...(search !== undefined && { q: search }) }),
    );
    return { runs: all.slice(offset, offset + limit).map(toRolloutRun), total: all.length };
  },
  async getRolloutRun({ path, caller }, { store }) {
    return toRolloutRun((await store.runStats(parseCaller(caller).org, path.run, 1)).run);
  },
  async listRollouts({ path, query, caller }, { store }) {
    const { limit = 20, offset = 0 } = query;
    const { org } = parseCaller(caller);
    const all = await allOf((cursor) => store.traces(org, { run: path.run, limit: 1000, ...cursor }));
    if (all.length === 0) throw new TraceStoreError(runNotFound(path.run));
    const rows = all
      .slice(offset, offset + limit)
      .map(({ id, name, environment, reward_max, block_count, created_at }) => ({
        id: id.replace(/^tr_/, ''),
        rolloutName: name,
        environment,
        max_reward: reward_max,
        num_messages: block_count,
        created_at,
      }));
    return { rollouts: rows, total: all.length };
  },
};

const traceIdOf = (eventId: string): TraceId => `tr_${eventId}`;

const isStart = (event: RolloutEvent): event is RolloutStarted => event.eventType === 'rollout';

function toTrace(event: RolloutStarted): TraceInput {
  const model = event.run_info?.model_name;
  return {
    id: traceIdOf(event.eventId),
    run: event.runName,
    name: event.rolloutName ?? null,
    environment: event.environment ?? null,
    variant: event.variant ?? null,
    split: event.split ?? null,
    step: event.step ?? null,
    metadata: event.metadata ?? {},
    task_spec: event.task_spec ?? null,
    run_info: event.run_info ?? {},
    model: typeof model === 'string' ? model : null,
  };
}

const byRollout = (events: readonly RolloutEvent[]): Map<TraceId, RolloutMessage[]> =>
  groupBy(
    events.filter((event) => event.eventType === 'message'),
    (event) => traceIdOf(event.rolloutEventId),
  );

function toRolloutRun({ run, trace_count, block_count, reward, first_created_at, last_updated_at }: Run): RolloutRun {
  return {
    id: run,
    name: run,
    num_rollouts: trace_count,
    avg_rollout_reward: reward.mean,
    avg_rollout_length: trace_count === 0 ? null : block_count / trace_count,
    created_at: first_created_at,
    updated_at: last_updated_at,
  };
}

async function allOf<T>(read: (cursor: { cursor?: string }) => Promise<StorePage<T>>): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await read(cursor ? { cursor } : {});
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return items;
}
