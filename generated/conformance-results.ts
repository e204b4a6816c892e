// generated from conformance-results.schema.json by ors generate; never edit

/**
 * A set of checks.
 *
 * This interface was referenced by `ConformanceResults`'s JSON-Schema
 * via the `definition` "Profile".
 */
export type Profile = "discovery" | "core" | "full" | "soak" | "hostile";
/**
 * Group and name.
 *
 * This interface was referenced by `ConformanceResults`'s JSON-Schema
 * via the `definition` "CheckId".
 */
export type CheckId = string;
/**
 * How binding a requirement is.
 *
 * This interface was referenced by `ConformanceResults`'s JSON-Schema
 * via the `definition` "Level".
 */
export type Level = "must" | "should" | "may";
/**
 * pass: the requirement is met. fail: a MUST is not met. warn: a SHOULD is not met. n/a: there is nothing to hold the server to, or it lacks what is a MAY, or it reads the documents another way. not-testable: something that the check needs could not be had; never a pass. harness-error: the suite is wrong.
 *
 * This interface was referenced by `ConformanceResults`'s JSON-Schema
 * via the `definition` "State".
 */
export type State = "pass" | "fail" | "warn" | "n/a" | "not-testable" | "harness-error";
/**
 * Header lines in their order, spelled as they were sent.
 *
 * This interface was referenced by `ConformanceResults`'s JSON-Schema
 * via the `definition` "EvidenceHeaders".
 */
export type EvidenceHeaders = EvidenceHeader[];

/**
 * What came of one run of `ors conformance` or `ors conformance-client`. Times named _ms are milliseconds since the run began, durations milliseconds. A later version may add fields; schema_version changes when one goes or changes its meaning.
 */
export interface ConformanceResults {
  schema_version: 1;
  /**
   * Name and version of the suite.
   */
  suite: string;
  /**
   * Changes with every change of the requirements.
   */
  requirements_revision: string;
  /**
   * What was held against the requirements.
   */
  subject: "server" | "client";
  /**
   * What the client says of itself; null if it says nothing, or if the subject is a server.
   */
  client: string | null;
  /**
   * Base URL of the server, without name and password; of a client's servers, without their ports.
   */
  url: string;
  /**
   * The environment under test.
   */
  environment: string;
  /**
   * All that the server lists.
   */
  environments: string[];
  /**
   * ISO 8601, in UTC.
   */
  started_at: string;
  duration_ms: number;
  /**
   * The run was ended early by whoever started it.
   */
  interrupted: boolean;
  profiles: Profile[];
  /**
   * Of everything random.
   */
  seed: number;
  budget: Budget;
  used: Use;
  summary: Summary;
  verdict: Verdict;
  /**
   * In the order in which reports show them.
   */
  results: CheckResult[];
}
/**
 * The most that the run could do.
 *
 * This interface was referenced by `ConformanceResults`'s JSON-Schema
 * via the `definition` "Budget".
 */
export interface Budget {
  sessions: number;
  calls: number;
  /**
   * After this no further check begins; null is no limit.
   */
  seconds: number | null;
}
/**
 * What the run did.
 *
 * This interface was referenced by `ConformanceResults`'s JSON-Schema
 * via the `definition` "Use".
 */
export interface Use {
  sessions: number;
  calls: number;
}
/**
 * This interface was referenced by `ConformanceResults`'s JSON-Schema
 * via the `definition` "Summary".
 */
export interface Summary {
  /**
   * All of it in one line.
   */
  headline: string;
  checks: number;
  states: StateCounts;
  required: RequiredCounts;
  /**
   * What could not be tested, by reason.
   */
  not_testable: Untested[];
}
/**
 * How many checks ended in each state.
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
   * Those that passed or failed.
   */
  ran: number;
  not_testable: number;
}
export interface Untested {
  reason: string;
  checks: CheckId[];
}
/**
 * This interface was referenced by `ConformanceResults`'s JSON-Schema
 * via the `definition` "Verdict".
 */
export interface Verdict {
  /**
   * conforms: all required checks that ran passed, or failed as expected.
   */
  outcome: "conforms" | "violations" | "harness-error" | "incomplete" | "interrupted";
  exit_code: number;
  /**
   * Why it is not conforms, one sentence each.
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
   * It passes now, or there is no such check.
   */
  problem: string;
}
/**
 * What came of one check.
 *
 * This interface was referenced by `ConformanceResults`'s JSON-Schema
 * via the `definition` "CheckResult".
 */
export interface CheckResult {
  check: CheckId;
  /**
   * What the check does and expects.
   */
  title: string;
  /**
   * Id of the requirement.
   */
  requirement: string;
  level: Level;
  /**
   * The documents can be read both ways, so that it never fails.
   */
  contested: boolean;
  /**
   * The requirement in words.
   */
  sentence: string;
  /**
   * The document of the standard that it comes from.
   */
  document: string;
  heading: string;
  state: State;
  /**
   * The requirement is not met, whatever its level makes of that.
   */
  violated: boolean;
  /**
   * Why the check was expected to fail or to warn, as it did; null where it was not.
   */
  expected_failure: string | null;
  /**
   * What the server did, or what could not be had; null on a plain pass.
   */
  message: string | null;
  /**
   * What was seen where the documents leave it open.
   */
  notes: string[];
  duration_ms: number;
  exchanges: EvidenceExchange[];
  /**
   * Of a check that passed only the last exchanges are kept; so many went before them.
   */
  exchanges_left_out: number;
}
/**
 * One request and what came of it. Secrets and the values of the user's headers are left out.
 *
 * This interface was referenced by `ConformanceResults`'s JSON-Schema
 * via the `definition` "EvidenceExchange".
 */
export interface EvidenceExchange {
  /**
   * Counts up through the run.
   */
  number: number;
  /**
   * RAW for bytes that are written as they are.
   */
  method: string;
  url: string;
  request_headers: EvidenceHeaders;
  request_body: EvidenceBody | null;
  sent_at_ms: number;
  /**
   * Null if no answer came.
   */
  status: number | null;
  response_headers: EvidenceHeaders;
  response_body: EvidenceBody;
  /**
   * When which part of what is kept of response_body arrived, in order.
   */
  pieces: EvidencePiece[];
  /**
   * When the answer's head arrived.
   */
  head_at_ms: number | null;
  /**
   * When the answer ended, or broke off.
   */
  ended_at_ms: number | null;
  /**
   * Why there is no answer, or no end of one.
   */
  failure: string | null;
  /**
   * A line for bash or zsh that sends the same; null where there is none.
   */
  curl: string | null;
}
export interface EvidenceHeader {
  name: string;
  value: string;
}
/**
 * This interface was referenced by `ConformanceResults`'s JSON-Schema
 * via the `definition` "EvidenceBody".
 */
export interface EvidenceBody {
  /**
   * How content is written: base64 where the body is not UTF-8.
   */
  encoding: "utf-8" | "base64";
  /**
   * The beginning, or all of it.
   */
  content: string;
  /**
   * Of the whole body, in bytes.
   */
  length: number;
  /**
   * There was more than what content has.
   */
  is_cut: boolean;
}
export interface EvidencePiece {
  at_ms: number;
  bytes: number;
}
