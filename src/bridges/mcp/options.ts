import type { Block } from '../../protocol/index.ts';
import type { BridgePlayOptions, BridgeSession } from '../session/index.ts';
import type { RewardRow } from './reward-row.ts';

/** A session of `ors-kit/client` whose episode ends with the MCP connection. */
export interface McpSession extends BridgeSession {
  prompt(): Promise<readonly Block[]>;
  close(): Promise<void>;
}

export interface McpEpisodeOptions extends BridgePlayOptions {
  /** Told of each call, and in the end of the whole episode. Must not throw. Default: nobody is. */
  readonly onReward?: (row: RewardRow) => void;
  /** Of this server, for clients. Default: the environment's name; `1`. */
  readonly name?: string;
  readonly version?: string;
}

export interface McpHttpEpisodesOptions extends McpEpisodeOptions {
  /** After so long without a request an episode is deleted, in ms. Default: 15 minutes. */
  readonly idleMs?: number;
  /** So many episodes at a time; further ones are refused with 503. Default: 100. */
  readonly maxEpisodes?: number;
  /** Told of an episode that could not be opened or deleted. Default: nobody is. */
  readonly onError?: (error: unknown) => void;
}
