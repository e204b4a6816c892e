export type {
  BridgeCallResult as BridgeResult,
  BridgeSession,
  VisibleBlock,
  VisibleResult as Shown,
} from './bridge-session.ts';
export { loadOptionalPackage as optionalPackage } from './optional-package.ts';
export {
  type BridgePlayOptions as PlayOptions,
  isEpisodeOver as isOver,
  playSession,
  type SessionPlayer,
} from './play-session.ts';
export { toVisibleBlocks as visibleBlocks } from './visible-blocks.ts';
