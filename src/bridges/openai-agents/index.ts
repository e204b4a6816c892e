export type { BridgeCallResult, BridgePlayOptions, BridgeSession, PromptedSession } from '../session/index.ts';
export { type AgentOutputContent, type AgentPromptItem, type AgentUserContent, agentInput } from './agent-input.ts';
export {
  type AgentContent,
  type AgentParameters,
  type AgentRunResult,
  type AgentTool,
  agentTools,
  endWhenEpisodeOver,
  submitFinalMessage,
  type ToolUseBehavior,
} from './agent-tools.ts';
