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
export type { McpAddress, McpConnect, McpProgram } from './mcp-connection.ts';
export type { EpisodeOptions, HttpEpisodesOptions, McpSession } from './options.ts';
export type { CallRow, EpisodeRow, RewardRow } from './reward-row.ts';
export { type ServedMcp, type ServeMcpOptions, serveMcp } from './serve-mcp.ts';
export { type ServedMcpHttp, type ServeMcpHttpOptions, serveMcpHttp } from './serve-mcp-http.ts';
