import type { Score } from '../../../../generated/trace.ts';
import {
  blockNotFound,
  isSameScore,
  runNotFound,
  scoreIdConflict,
  scoreNotFound,
  TraceStoreError,
  toScore,
} from '../../model/index.ts';
import { toTimestamp } from '../trace-changes.ts';
import type { ScoreQuery, TraceStore } from '../trace-store.ts';
import { page } from './memory-lists.ts';
import type { MemoryState } from './memory-state.ts';

/** Scores of runs, traces and blocks. @param now clock in milliseconds since 1970. */
export const createMemoryScores = (
  state: MemoryState,
  now: () => number,
): Pick<TraceStore, 'addScore' | 'scores' | 'deleteScore'> => ({
  async addScore(org, input) {
    const score = toScore(input, toTimestamp(Math.floor(now() * 1000)));
    assertTarget(state, org, score);
    const { scores } = state.organization(org);
    const known = scores.get(score.id);
    if (known && !isSameScore(known, score)) throw new TraceStoreError(scoreIdConflict(score.id));
    if (known) return { score: known, isNew: false };
    scores.set(score.id, score);
    return { score, isNew: true };
  },
  async scores(org, query) {
    const found = [...state.organization(org).scores.values()].filter((score) => matches(state, org, score, query));
    const order = { list: 'scores', order: 'asc' } as const;
    return page(found, { ...order, position: ({ id, created_at }) => [created_at, id] }, query);
  },
  async deleteScore(org, id) {
    if (!state.organization(org).scores.delete(id)) throw new TraceStoreError(scoreNotFound(id));
  },
});

function assertTarget(state: MemoryState, org: string, { trace_id, block_id, run }: Score): void {
  if (run !== null && !state.records(org).some(({ trace }) => trace.run === run)) {
    throw new TraceStoreError(runNotFound(run));
  }
  if (trace_id === null) return;
  const { blocks } = state.record(org, trace_id);
  if (block_id === null || blocks.some(({ block }) => block.id === block_id)) return;
  throw new TraceStoreError(blockNotFound(trace_id, block_id));
}

function matches(state: MemoryState, org: string, score: Score, query: ScoreQuery): boolean {
  const { trace_id, block_id, run, name, author } = query;
  const runOf = () => score.run ?? state.organization(org).records.get(score.trace_id ?? '')?.trace.run;
  return (
    (trace_id === undefined || score.trace_id === trace_id) &&
    (block_id === undefined || score.block_id === block_id) &&
    (name === undefined || score.name === name) &&
    (author === undefined || score.author === author) &&
    (run === undefined || runOf() === run)
  );
}
