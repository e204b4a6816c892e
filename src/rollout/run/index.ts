export { countPlanned } from './list-episodes.ts';
export { type RolloutOptions, type RolloutOutcome as RunEnd, type RunProgress, rollout } from './rollout.ts';
export { createRunFolder, openRunFolder, type RunFolder } from './run-folder.ts';
export type { RunPlan, TaskRanges as TaskChoice } from './run-plan.ts';
export { openRunTraces, type RunTraces } from './run-traces.ts';
export { type FailureReason, type RunResults, summarizeRun as summarize, type TaskGroup } from './summarize.ts';
