export type { BridgeCallResult, BridgeSession } from '../session/index.ts';
export {
  type AgentContent,
  type AgentParameters,
  type AgentTool,
  type AgentToolsOptions,
  agentTools,
  endWhenEpisodeOver,
  type ToolUseBehavior,
} from './agent-tools.ts';
