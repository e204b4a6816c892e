export { AdapterDriver as Driver, UnsupportedCommandError as Unsupported } from './driver.ts';
export {
  assumeValue as givenValue,
  type CommandOutcome as Outcome,
  describeOutcome as told,
  ensureError,
  ensureValue,
  shorten,
} from './outcome.ts';
export { type LaunchAdapter, launchAdapterCommand as adapterCommand } from './process.ts';
export {
  type BlockValue,
  type CallValue,
  type DiscoveryValue as Discovered,
  parseBlockValues as readBlocks,
  parseCallValue as readCall,
  parseDiscoveryValue as readDiscovered,
  parseToolValues as readTools,
  type ToolValue,
} from './values.ts';
