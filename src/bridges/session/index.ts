export {
  type BridgeCallResult,
  type BridgePlayOptions,
  type BridgeSession,
  isEpisodeOver,
  loadOptionalPackage,
  playSession,
  type SessionPlayer,
  toVisibleBlocks,
  type VisibleBlock,
  type VisibleResult,
} from './play-session.ts';
