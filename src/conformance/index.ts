export type { CheckPrerequisite as Need, ConformanceCheck as Check } from './check.ts';
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
export { createInputGenerator as createInputs } from './inputs/create-inputs.ts';
export { getRequirement as requirementOf } from './judge.ts';
export { UnknownToolError as UnknownTool } from './named-tools.ts';
export type { ConformanceOptions, ServerTimes as Times } from './options.ts';
export { type ConformancePlan as Plan, planChecks } from './plan.ts';
export type { Header, ServerProcess } from './probe/index.ts';
export { PROFILE_INCLUDES as INCLUDES, type Profile } from './profile.ts';
export {
  diffResults as differenceOf,
  InvalidResultsError as NoResults,
  parseResults as readResults,
  type ResultsDiff as Difference,
  type StateChange as Change,
  type UnmatchedResult as Single,
} from './report/diff.ts';
export { EXIT_CODES } from './report/exit-codes.ts';
export {
  type ExpectedFailures as Expectations,
  ExpectedFailuresError as ExpectationsError,
  parseExpectedFailures as readExpectations,
} from './report/expectations.ts';
export { groupResults as groupsOf } from './report/groups.ts';
export { createReportRedactor as redactorOf, type ReportRedactor } from './report/redact.ts';
export { type CheckResult, type ConformanceResults, toConformanceResults as resultsOf } from './report/results.ts';
export { makeWritableFolder, writeReports } from './report/write-reports.ts';
export type { CheckState as State, ConformanceRun as Run } from './result.ts';
export { type ConformanceProgress as Progress, runChecks } from './run.ts';
export { matchesName as isNamed, selectChecks } from './select.ts';
export { TargetNotFoundError as NoTarget } from './target.ts';
