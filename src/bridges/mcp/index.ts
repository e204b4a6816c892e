export type { BridgeResult, BridgeSession } from '../session/index.ts';
export {
  fromMcp,
  type McpCall,
  type McpEnvironmentDefinition,
  type McpGrading,
  type McpReward,
  type McpRewardContext,
  type McpSubmit,
} from './from-mcp.ts';
export type {
  McpHttpLocation as McpAddress,
  McpServerLocation as McpConnect,
  McpStdioLocation as McpProgram,
} from './mcp-connection.ts';
export type {
  McpEpisodeOptions as EpisodeOptions,
  McpHttpEpisodesOptions as HttpEpisodesOptions,
  McpSession,
} from './options.ts';
export type { CallRewardRow as CallRow, EpisodeRewardRow as EpisodeRow, RewardRow } from './reward-row.ts';
export { type RunningMcpServer as ServedMcp, type ServeMcpOptions, serveMcp } from './serve-mcp.ts';
export {
  type RunningMcpHttpServer as ServedMcpHttp,
  type ServeMcpHttpOptions,
  serveMcpHttp,
} from './serve-mcp-http.ts';
