export type { Check, Need } from './check.ts';
export { serverChecks } from './checks/index.ts';
export {
  adapterCommand,
  type ClientCheck,
  type ClientProgress,
  type ClientRun,
  clientChecks,
  runClientChecks,
  selectClientChecks,
} from './client/index.ts';
export { createInputs } from './inputs/create-inputs.ts';
export { requirementOf } from './judge.ts';
export { UnknownTool } from './named-tools.ts';
export type { ConformanceOptions, Times } from './options.ts';
export { type Plan, planChecks } from './plan.ts';
export type { Header, ServerProcess } from './probe/index.ts';
export { INCLUDES, type Profile } from './profile.ts';
export { type Change, type Difference, differenceOf, NoResults, readResults, type Single } from './report/diff.ts';
export { EXIT_CODES } from './report/exit-codes.ts';
export { type Expectations, ExpectationsError, readExpectations } from './report/expectations.ts';
export { groupsOf } from './report/groups.ts';
export { type ReportRedactor, redactorOf } from './report/redact.ts';
export { type CheckResult, type ConformanceResults, resultsOf } from './report/results.ts';
export { makeWritableFolder, writeReports } from './report/write-reports.ts';
export type { Run, State } from './result.ts';
export { type Progress, runChecks } from './run.ts';
export { isNamed, selectChecks } from './select.ts';
export { NoTarget } from './target.ts';
