export {
  type Agent,
  type AgentContext,
  AgentError,
  type AgentLimits,
  type AgentReport,
  type AgentSession,
  type StopReason,
  type TaskInstance,
  type TokenUsage,
} from './agent.ts';
export * from './agents/index.ts';
export type { EpisodeRecord, EpisodeStep, FailureKind, FailureRecord } from './episode/episode-record.ts';
export { attributeUnhandledError } from './episode/stray-errors.ts';
export {
  groupRewards,
  passAtK,
  REDUCERS,
  type Reducer,
  type RewardGroup,
  type RewardStep,
  type RewardTotals,
  reduceRewards,
  rewardsByStep,
  rewardsByTool,
} from './rewards/index.ts';
export * from './run/index.ts';
