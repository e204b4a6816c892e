export { type LaunchAdapter, launchAdapterCommand } from './adapter/index.ts';
export type { ClientCheck } from './check.ts';
export { clientChecks } from './checks/index.ts';
export {
  type ClientProgress,
  type ClientRun,
  runClientChecks,
  selectClientChecks,
} from './run.ts';
export type { ClientTimes } from './times.ts';
