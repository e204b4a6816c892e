/*
 * A call from an MCP client:
 * 1. `serve-mcp-http.ts` has the whole request: host, session or name of the episode, response. `serve-mcp.ts` does the
 *    same for one client on another transport, such as standard input and output.
 * 2. `http-messages.ts` reads the messages and checks the headers; `messages.ts` has the messages of all revisions.
 * 3. `http-episodes.ts` finds or opens the episode, and ends idle ones.
 * 4. `episode-server.ts` carries out the request: tools, prompt, revisions. `../session/index.ts` makes the call.
 * 5. `message-stream.ts` sends the result, and keeps it for clients whose connection breaks.
 *
 * The other direction begins in `from-mcp.ts`: `mcp-connection.ts` connects to a server of any revision, lists its tools
 * and calls them over `stdio-channel.ts` or `http-channel.ts`.
 */
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
export { type McpTransport, type RunningMcpServer, type ServeMcpOptions, serveMcp } from './serve-mcp.ts';
export { type RunningMcpHttpServer, type ServeMcpHttpOptions, serveMcpHttp } from './serve-mcp-http.ts';
