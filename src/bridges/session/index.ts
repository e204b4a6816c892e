export type { BridgeResult, BridgeSession, Shown, VisibleBlock } from './bridge-session.ts';
export { optionalPackage } from './optional-package.ts';
export { isOver, type PlayOptions, playSession, type SessionPlayer } from './play-session.ts';
export { visibleBlocks } from './visible-blocks.ts';
