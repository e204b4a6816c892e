export type { CheckPrerequisite, ConformanceCheck } from './check.ts';
export { serverChecks } from './checks/index.ts';
export {
  type ClientCheck,
  type ClientProgress,
  type ClientRun,
  clientChecks,
  launchAdapterCommand,
  runClientChecks,
  selectClientChecks,
} from './client/index.ts';
export { createInputGenerator } from './inputs/create-inputs.ts';
export { getRequirement } from './judge.ts';
export { UnknownToolError } from './named-tools.ts';
export type { ConformanceOptions, ServerTimes } from './options.ts';
export { type ConformancePlan, planChecks } from './plan.ts';
export type { HttpHeader, TargetProcess } from './probe/index.ts';
export { PROFILE_INCLUDES, type Profile } from './profile.ts';
export {
  diffResults,
  InvalidResultsError,
  parseResults,
  type ResultsDiff,
  type StateChange,
  type UnmatchedResult,
} from './report/diff.ts';
export { EXIT_CODES } from './report/exit-codes.ts';
export {
  type ExpectedFailures,
  ExpectedFailuresError,
  parseExpectedFailures,
} from './report/expectations.ts';
export { groupResults } from './report/groups.ts';
export { createReportRedactor, type ReportRedactor } from './report/redact.ts';
export { type CheckResult, type ConformanceResults, toConformanceResults } from './report/results.ts';
export { makeWritableFolder, writeReports } from './report/write-reports.ts';
export type { CheckState, ConformanceRun } from './result.ts';
export { type ConformanceProgress, runChecks } from './run.ts';
export { matchesName, selectChecks } from './select.ts';
export { TargetNotFoundError } from './target.ts';
