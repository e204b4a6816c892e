import type { RolloutRun, Run } from '../../../../generated/trace.ts';
import type { operations } from '../../../../generated/trace-api.ts';
import { type Handlers, JsonPieces } from '../../../http/index.ts';
import { runNotFound, TraceStoreError } from '../../model/index.ts';
import { allItems } from '../../store/index.ts';
import { parseCaller } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { readWholeTrace } from '../export.ts';
import { logEvents, type RefusedEvent, readEvents } from '../log-events.ts';
import { writeRollout } from '../rollout-messages.ts';
import { readTaskDifficulty } from '../task-difficulty.ts';

type Rollouts = 'logRollouts' | 'getRollout' | 'listRolloutRuns' | 'getRolloutRun' | 'listRollouts';

/** Operations of the OpenReward client and its command line. */
export const rolloutHandlers: Pick<Handlers<operations, ApiContext>, Rollouts> = {
  async logRollouts(request, { store, rolloutReceiver }) {
    const { org } = parseCaller(request.caller);
    const { accepted, refused } = await logEvents({ store, rolloutReceiver, org }, readEvents(request.body));
    return { accepted, ...(refused.length > 0 ? { refused: refused as [RefusedEvent, ...RefusedEvent[]] } : {}) };
  },
  async getRollout({ path, caller }, { store }) {
    const { org } = parseCaller(caller);
    const trace = await store.trace(org, `tr_${path.rolloutId}`);
    return new JsonPieces(writeRollout(await readWholeTrace(store, org, trace)));
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
    const all = await allOf((cursor) =>
      store.traces(org, { run: path.run, has_parent: false, limit: 1000, ...cursor }),
    );
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

async function allOf<T>(read: Parameters<typeof allItems<T>>[0]): Promise<T[]> {
  const items: T[] = [];
  for await (const item of allItems(read)) items.push(item);
  return items;
}

type Environments = 'getTaskDifficulty' | 'getRequiredSecrets';

/** Operations of the platform that programs of OpenReward ask a trace store for. */
export const environmentHandlers: Pick<Handlers<operations, ApiContext>, Environments> = {
  async getTaskDifficulty({ path, query, caller }, { store }) {
    return { tasks: await readTaskDifficulty(store, parseCaller(caller).org, path, query) };
  },
  getRequiredSecrets: () => ({ secrets: [] }),
};
