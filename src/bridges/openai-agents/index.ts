export type { BridgeResult, BridgeSession } from '../session/index.ts';
export {
  type AgentContent,
  type AgentParameters,
  type AgentTool,
  type AgentToolsOptions,
  agentTools,
  endWhenEpisodeOver as endWhenOver,
  type ToolUseBehavior as AfterTools,
} from './agent-tools.ts';
