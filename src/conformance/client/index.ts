export { type LaunchAdapter, launchAdapterCommand } from './adapter.ts';
export { clientChecks } from './checks/index.ts';
export type { ClientCheck, ClientTimes } from './harness.ts';
export {
  type ClientProgress,
  type ClientRun,
  runClientChecks,
  selectClientChecks,
} from './run.ts';
