export type {
  BridgeCallResult,
  BridgeSession,
  VisibleBlock,
  VisibleResult,
} from './bridge-session.ts';
export { loadOptionalPackage } from './optional-package.ts';
export {
  type BridgePlayOptions,
  isEpisodeOver,
  playSession,
  type SessionPlayer,
} from './play-session.ts';
export { toVisibleBlocks } from './visible-blocks.ts';
