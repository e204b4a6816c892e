export { passAtK } from '../core/index.ts';
export {
  type Agent,
  type AgentContext,
  AgentError,
  type AgentFork,
  type AgentLimits,
  type AgentReport,
  type AgentSession,
  type StopReason,
  type TokenUsage,
} from './agent.ts';
export { loadAgent } from './agents/load-agent.ts';
export type { LanguageModel, ModelAdvice, ProviderData, Sampling } from './agents/model/language-model.ts';
export { type LoadModelOptions, loadModel } from './agents/model/load-model.ts';
export { type ModelAgentOptions, modelAgent } from './agents/model/model-agent.ts';
export { idleAgent, oracleAgent, randomAgent } from './agents/scripted-agents.ts';
export type { BranchPolicy } from './episode/branch-episode.ts';
export type {
  Continuation,
  EpisodeBranch,
  EpisodeEnd,
  EpisodeRecord,
  EpisodeStep,
  FailureKind,
  FailureRecord,
} from './episode/episode-record.ts';
export { attributeUnhandledError } from './episode/unhandled-errors.ts';
export {
  groupRewards,
  REDUCERS,
  type Reducer,
  type RewardGroup,
  type RewardStep,
  type RewardTotals,
  reduceRewards,
  rewardsByStep,
  rewardsByTool,
} from './rewards.ts';
export { countPlanned } from './run/list-episodes.ts';
export { type RolloutOptions, type RolloutOutcome, type RunProgress, rollout } from './run/rollout.ts';
export type { CandidateRecord, GroupRecord, RunPlan, TaskRanges } from './run/run-files.ts';
export { createRunFolder, openRunFolder, type RunFolder } from './run/run-folder.ts';
export { openRunTraces, type RunTraces } from './run/run-traces.ts';
export {
  type BranchResults,
  type FailureReason,
  type RunResults,
  summarizeRun,
  type TaskGroup,
} from './run/summarize.ts';
