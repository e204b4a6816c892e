export { countPlanned } from './list-episodes.ts';
export { type RolloutOptions, type RolloutOutcome, type RunProgress, rollout } from './rollout.ts';
export { createRunFolder, openRunFolder, type RunFolder } from './run-folder.ts';
export type { RunPlan, TaskRanges } from './run-plan.ts';
export { openRunTraces, type RunTraces } from './run-traces.ts';
export { type FailureReason, type RunResults, summarizeRun, type TaskGroup } from './summarize.ts';
