import type { operations } from '../../../../generated/trace-api.ts';
import type { Handlers } from '../../../http/index.ts';
import { parseCaller } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { readTaskDifficulty } from '../task-difficulty.ts';

type Environments = 'getTaskDifficulty' | 'getRequiredSecrets';

/** Operations of the platform that programs of OpenReward ask a trace store for. */
export const environmentHandlers: Pick<Handlers<operations, ApiContext>, Environments> = {
  async getTaskDifficulty({ path, query, caller }, { store }) {
    return { tasks: await readTaskDifficulty(store, parseCaller(caller).org, path, query) };
  },
  getRequiredSecrets: () => ({ secrets: [] }),
};
