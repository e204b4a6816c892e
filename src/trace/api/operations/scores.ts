import type { operations } from '../../../../generated/trace-api.ts';
import { type Handlers, NOTHING, Reply } from '../../../http/index.ts';
import { scoreIssues, TraceStoreError, validationError } from '../../model/index.ts';
import { parseCaller } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { validateBody } from '../errors.ts';

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
