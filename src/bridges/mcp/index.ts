export type { BridgeCallResult, BridgeSession } from '../session/index.ts';
export type { McpHttpLocation, McpServerLocation, McpStdioLocation } from './channel.ts';
export type {
  CallRewardRow,
  EpisodeRewardRow,
  McpEpisodeOptions,
  McpSession,
  RewardRow,
} from './episode-server.ts';
export {
  fromMcp,
  type McpCall,
  type McpEnvironmentDefinition,
  type McpGrading,
  type McpReward,
  type McpRewardContext,
  type McpSubmit,
} from './from-mcp.ts';
export { type RunningMcpServer, type ServeMcpOptions, serveMcp } from './serve-mcp.ts';
export { type RunningMcpHttpServer, type ServeMcpHttpOptions, serveMcpHttp } from './serve-mcp-http.ts';
export type { McpTransport } from './stdio-transport.ts';
