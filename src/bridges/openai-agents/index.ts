export type { PromptedSession } from '../session/conversation.ts';
export type { BridgeCallResult, BridgePlayOptions, BridgeSession } from '../session/index.ts';
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
