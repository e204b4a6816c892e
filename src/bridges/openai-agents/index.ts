export type { BridgeResult, BridgeSession } from '../session/index.ts';
export {
  type AfterTools,
  type AgentContent,
  type AgentParameters,
  type AgentTool,
  type AgentToolsOptions,
  agentTools,
  endWhenOver,
} from './agent-tools.ts';
