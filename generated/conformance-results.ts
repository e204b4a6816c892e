// generated from conformance-results.schema.json by ors generate; never edit

/**
 * A set of checks.
 */
export type Profile = "discovery" | "core" | "full" | "soak" | "hostile";
/**
 * Group and name.
 */
export type CheckId = string;
/**
 * How binding a requirement is.
 */
export type Level = "must" | "should" | "may";
/**
 * pass: the requirement is met. fail: a MUST is not met, or the implementation has an extension and does it otherwise. warn: a SHOULD is not met. n/a: the requirement does not apply, or is a MAY that is not implemented, or the documents allow another reading that the server follows. not-testable: a prerequisite of the check is missing; never a pass. harness-error: a bug in the suite.
 */
export type State = "pass" | "fail" | "warn" | "n/a" | "not-testable" | "harness-error";
/**
 * Header lines in order, spelled as they were sent.
 */
export type EvidenceHeaders = EvidenceHeader[];

/**
 * Results of one run of `ors conformance` or `ors conformance-client`. Times named _ms are milliseconds since the start of the run; durations are milliseconds. Later versions may add fields; schema_version changes if a field is removed or changes its meaning.
 */
export interface ConformanceResults {
  schema_version: 1;
  /**
   * Name and version of the suite.
   */
  suite: string;
  /**
   * Changes with every change to the requirements.
   */
  requirements_revision: string;
  /**
   * Kind of implementation that was tested.
   */
  subject: "server" | "client";
  /**
   * Name and version that the client reports; null if it reports none, or if the subject is a server.
   */
  client: string | null;
  /**
   * Base URL of the server, without user name and password; for a client, that of its servers, without ports.
   */
  url: string;
  /**
   * The environment under test.
   */
  environment: string;
  /**
   * All environments that the server lists.
   */
  environments: string[];
  /**
   * ISO 8601, in UTC.
   */
  started_at: string;
  duration_ms: number;
  /**
   * True if the user interrupted the run.
   */
  interrupted: boolean;
  profiles: Profile[];
  /**
   * Seed of all random values.
   */
  seed: number;
  budget: Budget;
  used: Use;
  summary: Summary;
  verdict: Verdict;
  /**
   * Results in the order of reports.
   */
  results: CheckResult[];
}
/**
 * Limits of the run.
 */
export interface Budget {
  sessions: number;
  calls: number;
  /**
   * No check starts after this time; null for no limit.
   */
  seconds: number | null;
}
/**
 * Sessions and calls that the run used.
 */
export interface Use {
  sessions: number;
  calls: number;
}
export interface Summary {
  /**
   * Summary in one line.
   */
  headline: string;
  checks: number;
  states: StateCounts;
  required: RequiredCounts;
  /**
   * Checks that could not be made, by reason.
   */
  not_testable: Untested[];
}
/**
 * Number of checks by state.
 */
export interface StateCounts {
  pass: number;
  fail: number;
  warn: number;
  not_applicable: number;
  not_testable: number;
  harness_error: number;
}
/**
 * Checks of requirements with the level must.
 */
export interface RequiredCounts {
  passed: number;
  /**
   * Number of checks that passed or failed.
   */
  ran: number;
  not_testable: number;
}
export interface Untested {
  reason: string;
  checks: CheckId[];
}
export interface Verdict {
  /**
   * conforms: all required checks that ran passed, or failed as expected.
   */
  outcome: "conforms" | "violations" | "harness-error" | "incomplete" | "interrupted";
  exit_code: number;
  /**
   * Reasons for an outcome other than conforms, one sentence each.
   */
  reasons: string[];
  /**
   * Checks that failed or warned, as expected.
   */
  expected_failures: CheckId[];
  stale_expectations: StaleExpectation[];
}
export interface StaleExpectation {
  check: string;
  /**
   * The check passes now, or does not exist.
   */
  problem: string;
}
/**
 * Result of one check.
 */
export interface CheckResult {
  check: CheckId;
  /**
   * The expected behaviour.
   */
  title: string;
  /**
   * Id of the requirement.
   */
  requirement: string;
  level: Level;
  /**
   * The documents allow two readings, so the check never fails.
   */
  contested: boolean;
  /**
   * Text of the requirement.
   */
  sentence: string;
  /**
   * Document of the standard that the requirement comes from.
   */
  document: string;
  heading: string;
  state: State;
  /**
   * True if the requirement is not met, whatever its level.
   */
  violated: boolean;
  /**
   * Reason why the check was expected to fail or to warn, and did; null for all others.
   */
  expected_failure: string | null;
  /**
   * Name of the SDK that causes the failure, in every environment; only with `--sdk`.
   */
  of_sdk?: string;
  /**
   * Behaviour of the server, or the missing prerequisite; null for a plain pass.
   */
  message: string | null;
  /**
   * Observations about behaviour that the documents leave open.
   */
  notes: string[];
  duration_ms: number;
  exchanges: EvidenceExchange[];
  /**
   * Number of omitted exchanges: for a check that passed, only the last ones are kept.
   */
  exchanges_left_out: number;
}
/**
 * One request and its response, without secrets and without the values of headers that the user added.
 */
export interface EvidenceExchange {
  /**
   * Ascending number within the run.
   */
  number: number;
  /**
   * RAW for bytes that are sent as they are.
   */
  method: string;
  url: string;
  request_headers: EvidenceHeaders;
  request_body: EvidenceBody | null;
  sent_at_ms: number;
  /**
   * Null if there was no response.
   */
  status: number | null;
  response_headers: EvidenceHeaders;
  response_body: EvidenceBody;
  /**
   * Arrival times of the parts of response_body, in order.
   */
  pieces: EvidencePiece[];
  /**
   * Arrival time of the head of the response.
   */
  head_at_ms: number | null;
  /**
   * Time at which the response ended or broke off.
   */
  ended_at_ms: number | null;
  /**
   * Reason why there is no response, or no complete one.
   */
  failure: string | null;
  /**
   * Command for bash or zsh that sends the same request; null if there is none.
   */
  curl: string | null;
}
export interface EvidenceHeader {
  name: string;
  value: string;
}
export interface EvidenceBody {
  /**
   * Encoding of content: base64 if the body is not UTF-8.
   */
  encoding: "utf-8" | "base64";
  /**
   * The body, or its beginning.
   */
  content: string;
  /**
   * Length of the whole body in bytes.
   */
  length: number;
  /**
   * True if content has only the beginning of the body.
   */
  is_cut: boolean;
}
export interface EvidencePiece {
  at_ms: number;
  bytes: number;
}
