export { AdapterDriver, UnsupportedCommandError } from './driver.ts';
export {
  assumeValue,
  type CommandOutcome,
  describeOutcome,
  ensureError,
  ensureValue,
  shorten,
} from './outcome.ts';
export { type LaunchAdapter, launchAdapterCommand } from './process.ts';
export {
  type BlockValue,
  type CallValue,
  type DiscoveryValue,
  parseBlockValues,
  parseCallValue,
  parseDiscoveryValue,
  parseToolValues,
  type ToolValue,
} from './values.ts';
