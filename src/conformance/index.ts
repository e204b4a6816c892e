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
export { createInputLearner, type InputLearner, looksRefused } from './inputs/learn-inputs.ts';
export { type ConformanceOptions, PROFILE_INCLUDES, type Profile, type ServerTimes } from './options.ts';
export type { HttpHeader, TargetProcess } from './probe/index.ts';
export {
  diffResults,
  InvalidResultsError,
  parseResults,
  type ResultsDiff,
  type StateChange,
  type UnmatchedResult,
} from './report/diff.ts';
export { createReportRedactor, type ReportRedactor } from './report/evidence.ts';
export { type CheckResult, type ConformanceResults, groupResults, toConformanceResults } from './report/results.ts';
export {
  EXIT_CODES,
  type ExpectedFailures,
  ExpectedFailuresError,
  parseExpectedFailures,
  shortReason,
} from './report/verdict.ts';
export { makeWritableFolder, writeReports } from './report/write-reports.ts';
export type { CheckState, ConformanceRun } from './result.ts';
export { getRequirement } from './result.ts';
export { type ConformanceProgress, runChecks } from './run.ts';
export { detectSdk, type EnvironmentSdk, failuresOfSdk, formatSdk, SDKS } from './sdk.ts';
export { type ConformancePlan, matchesName, planChecks, selectChecks } from './select.ts';
export { UnknownToolError } from './shared.ts';
export { TargetNotFoundError } from './target.ts';
