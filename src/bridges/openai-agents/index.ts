export type { BridgeCallResult, BridgePlayOptions, BridgeSession } from '../session/index.ts';
export {
  type AgentContent,
  type AgentParameters,
  type AgentTool,
  agentTools,
  endWhenEpisodeOver,
  type ToolUseBehavior,
} from './agent-tools.ts';
