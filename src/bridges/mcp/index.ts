export type { BridgeCallResult, BridgeSession } from '../session/index.ts';
export {
  fromMcp,
  type McpCall,
  type McpEnvironmentDefinition,
  type McpGrading,
  type McpReward,
  type McpRewardContext,
  type McpSubmit,
} from './from-mcp.ts';
export type { McpHttpLocation, McpServerLocation, McpStdioLocation } from './mcp-connection.ts';
export {
  type CallRewardRow,
  type EpisodeRewardRow,
  type McpEpisodeOptions,
  type McpSession,
  type RewardRow,
  type RunningMcpServer,
  type ServeMcpOptions,
  serveMcp,
} from './serve-mcp.ts';
export { type RunningMcpHttpServer, type ServeMcpHttpOptions, serveMcpHttp } from './serve-mcp-http.ts';
