export { Driver, Unsupported } from './driver.ts';
export {
  ensureError,
  ensureValue,
  givenValue,
  type Outcome,
  shorten,
  told,
} from './outcome.ts';
export { adapterCommand, type LaunchAdapter } from './process.ts';
export {
  type BlockValue,
  type CallValue,
  type Discovered,
  readBlocks,
  readCall,
  readDiscovered,
  readTools,
  type ToolValue,
} from './values.ts';
