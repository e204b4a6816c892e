import type { operations } from '../../../../generated/trace-api.ts';
import type { Handlers } from '../../../http/index.ts';
import type { ApiContext } from '../context.ts';

type Runs = 'listRuns' | 'runStats' | 'listGroups';

export const runHandlers: Pick<Handlers<operations, ApiContext>, Runs> = {
  async listRuns({ path, query }, { store }) {
    const { items, next_cursor } = await store.runs(path.org, { ...query, limit: query.limit ?? 100 });
    return { runs: [...items], page: { next_cursor } };
  },
  runStats: ({ path, query }, { store }) => store.runStats(path.org, path.run, query.bins ?? 20),
  async listGroups({ path, query }, { store }) {
    const { items, next_cursor } = await store.groups(path.org, { ...query, limit: query.limit ?? 100 });
    return { groups: [...items], page: { next_cursor } };
  },
};
