import { isRecord, tryParseJson, withoutByteOrderMark } from '../../core/index.ts';
import type { JSONObject, Message } from '../../protocol/index.ts';
import type { BranchPolicy } from '../episode/branch-episode.ts';
import type {
  Continuation,
  EpisodeBranch,
  EpisodeRecord,
  EpisodeStep,
  FailureRecord,
} from '../episode/episode-record.ts';
import { REDUCERS, type Reducer } from '../rewards.ts';

/**
 * Plan of a run, from which it can be resumed: `run.json`.
 *
 * @example
 * const plan: RunPlan = {
 *   run: 'baseline',
 *   url: 'http://127.0.0.1:8080',
 *   environment: 'maze',
 *   split: 'test',
 *   tasks: [{ start: 0, stop: null }],
 *   samples: 4,
 *   agent: 'openai/gpt-5',
 *   limits: { turns: 100, tokens: null, seconds: null },
 *   reducer: 'sum',
 *   pass: 1,
 *   started_at: new Date().toISOString(),
 *   settings: {},
 * };
 */
export interface RunPlan {
  /** Name of the run, also in the trace store. */
  readonly run: string;
  /** Id that distinguishes its traces from those of other runs of the same name. @default generated with the folder */
  readonly id?: string;
  /** Training step of all its traces, from 0; the steps of a training run have the same run name. @default none */
  readonly step?: number;
  readonly url: string;
  readonly environment: string;
  readonly split: string;
  /** Indexes of the tasks, in the order in which they are played. */
  readonly tasks: TaskRanges;
  /** Number of tasks in the split when the run began; it cannot be resumed with another one. @default not checked */
  readonly task_count?: number;
  /** Episodes per task. */
  readonly samples: number;
  /** Name of the agent in results and traces, such as `openai/gpt-5`. */
  readonly agent: string;
  readonly limits: { readonly turns: number; readonly tokens: number | null; readonly seconds: number | null };
  readonly reducer: Reducer;
  /** Minimum score of an episode that passes. */
  readonly pass: number;
  /** Toolset of the environment that its episodes have. @default none */
  readonly toolset?: string;
  /** How episodes are continued from their states, to estimate the advantage of each call. @default not at all */
  readonly branch?: BranchPolicy;
  readonly started_at: string;
  /** Further settings that are needed to create the same agent again; never secrets. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/**
 * Half-open ranges of indexes; `stop: null` means up to the last task.
 *
 * @example
 * const tasks: TaskRanges = [{ start: 0, stop: 10 }, { start: 90, stop: null }];
 */
export type TaskRanges = readonly { readonly start: number; readonly stop: number | null }[];

/**
 * Line of `groups.jsonl`: a comparison of the episodes of one task.
 *
 * @example
 * const isScored = ({ rewards }: GroupRecord) => rewards !== null;
 * const scored = folder.groups.filter(isScored).map(({ task }) => task);
 */
export interface GroupRecord {
  readonly task: number;
  /** Comparative rewards in the order of the samples; null if the comparison failed, which is not the same as 0. */
  readonly rewards: readonly number[] | null;
  /** Metadata of the environment for each of them; null if the comparison failed. */
  readonly metadata: readonly (JSONObject | null)[] | null;
  /** Why the comparison failed; null if it did not. */
  readonly error: string | null;
  readonly at: string;
}

/**
 * Line of `candidates.jsonl`: the messages of an episode after its prompt, which are compared.
 *
 * @example
 * const idOf = ({ task, sample }: CandidateRecord) => `${task}/${sample}`;
 */
export interface CandidateRecord {
  readonly task: number;
  readonly sample: number;
  readonly messages: readonly Message[];
}

type Check = (value: unknown) => boolean;
type FieldChecks<Row> = Readonly<Partial<Record<keyof Row, Check>>>;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isFlag: Check = (value) => typeof value === 'boolean';

function orNull(check: Check): Check {
  return (value) => value === null || check(value);
}

function orUndefined(check: Check): Check {
  return (value) => value === undefined || check(value);
}

function isArrayOf<Row>(checks: FieldChecks<Row>): Check {
  const isRow = hasFields(checks);
  return (value) => Array.isArray(value) && value.every(isRow);
}

function hasFields<Row>(checks: FieldChecks<Row>): Check {
  return (value) => isRecord(value) && findInvalidField(checks, value) === undefined;
}

const findInvalidField = (
  checks: Readonly<Record<string, Check | undefined>>,
  record: Readonly<Record<string, unknown>>,
): string | undefined => Object.keys(checks).find((name) => !checks[name]?.(record[name]));

const PLAN_FIELDS: Readonly<Record<keyof RunPlan, Check>> = {
  run: isText,
  id: orUndefined(isText),
  step: orUndefined(isCount),
  url: isText,
  environment: isText,
  split: isText,
  tasks: isArrayOf<TaskRanges[number]>({ start: isCount, stop: orNull(isCount) }),
  task_count: orUndefined(isCount),
  samples: (value) => isCount(value) && value !== 0,
  agent: isText,
  limits: hasFields<RunPlan['limits']>({ turns: isCount, tokens: orNull(isCount), seconds: orNull(isNumber) }),
  reducer: (value) => REDUCERS.some((name) => name === value),
  pass: isNumber,
  toolset: orUndefined(isText),
  branch: orUndefined(
    hasFields<BranchPolicy>({
      continuations: (value) => isCount(value) && value !== 0,
      states: orNull((value) => isCount(value) && value !== 0),
    }),
  ),
  started_at: isText,
  settings: isRecord,
};

/** Parses a `run.json`. @throws Error that names the file and the invalid field. */
export function parseRunPlan(text: string, file: string): RunPlan {
  const plan = tryParseJson(withoutByteOrderMark(text));
  const advice = 'restore the file, or start a new run in another folder';
  if (!isRecord(plan)) throw new Error(`${file} is not a valid run plan: expected a JSON object; ${advice}`);
  const invalid = findInvalidField(PLAN_FIELDS, plan);
  if (invalid !== undefined) throw new Error(`${file} is not a valid run plan: invalid '${invalid}'; ${advice}`);
  // All fields are validated above.
  return plan as unknown as RunPlan;
}

const isSteps = isArrayOf<EpisodeStep>({ tool: isText, ok: isFlag, reward: orNull(isNumber), seconds: isNumber });

const isBranches = isArrayOf<EpisodeBranch>({
  calls: isCount,
  value: isNumber,
  advantage: isNumber,
  continuations: isArrayOf<Continuation>({ score: isNumber, steps: isSteps, trace_id: orNull(isText) }),
});

const EPISODE_FIELDS: FieldChecks<EpisodeRecord> = {
  task: isCount,
  sample: isCount,
  reward: orNull(isNumber),
  score: isNumber,
  ungraded: orUndefined(orNull(isText)),
  stop: isText,
  steps: isSteps,
  branches: orUndefined(isBranches),
  turns: orNull(isNumber),
  input_tokens: orNull(isNumber),
  output_tokens: orNull(isNumber),
  seconds: isNumber,
  trace_id: orNull(isText),
  task_hash: orUndefined(isText),
};

const FAILURE_FIELDS: FieldChecks<FailureRecord> = { task: isCount, sample: isCount, kind: isText, message: isText };

/**
 * Parses the lines of `rewards.jsonl`: different episodes of the plan.
 *
 * @throws Error that names the invalid line.
 */
export function parseEpisodeRecords(lines: readonly string[], file: string, plan: RunPlan): EpisodeRecord[] {
  const lineNumbers = new Map<string, number>();
  return lines.map((line, at) => {
    const row = parseRow(EPISODE_FIELDS, line, file, at);
    const { task, sample } = row;
    const episode = `task ${task}, sample ${sample}`;
    const before = lineNumbers.get(episode);
    if (before !== undefined) throw invalidLine(at, file, `repeats ${episode} of line ${before}`);
    lineNumbers.set(episode, at + 1);
    if (!isPlanned(row, plan)) throw invalidLine(at, file, `contains ${episode}, which is not in run.json`);
    return row;
  });
}

/**
 * Parses the lines of `failures.jsonl`.
 *
 * @throws Error that names the invalid line.
 */
export const parseFailureRecords = (lines: readonly string[], file: string): FailureRecord[] =>
  lines.map((line, at) => parseRow(FAILURE_FIELDS, line, file, at));

const GROUP_FIELDS: FieldChecks<GroupRecord> = {
  task: isCount,
  rewards: orNull((value) => Array.isArray(value) && value.every(isNumber)),
  error: orNull(isText),
};

/** Parses the lines of `groups.jsonl`; a later comparison of a group follows an earlier one. @throws Error, as above. */
export const parseGroupRecords = (lines: readonly string[], file: string): GroupRecord[] =>
  lines.map((line, at) => parseRow(GROUP_FIELDS, line, file, at));

const CANDIDATE_FIELDS: FieldChecks<CandidateRecord> = {
  task: isCount,
  sample: isCount,
  messages: (value) => Array.isArray(value) && value.every(isRecord),
};

/** Parses the lines of `candidates.jsonl`. Of a repeated episode, the last line is valid. @throws Error, as above. */
export const parseCandidateRecords = (lines: readonly string[], file: string): CandidateRecord[] =>
  lines.map((line, at) => parseRow(CANDIDATE_FIELDS, line, file, at));

const isPlanned = ({ task, sample }: EpisodeRecord, { tasks, samples }: RunPlan): boolean =>
  sample < samples && tasks.some(({ start, stop }) => task >= start && task < (stop ?? Number.POSITIVE_INFINITY));

function parseRow<Row>(checks: FieldChecks<Row>, line: string, file: string, at: number): Row {
  const row = tryParseJson(line);
  if (!isRecord(row)) throw invalidLine(at, file, 'is not a JSON object');
  const invalid = findInvalidField(checks, row);
  if (invalid !== undefined) throw invalidLine(at, file, `has an invalid '${invalid}'`);
  // Its fields are validated above.
  return row as Row;
}

const invalidLine = (at: number, file: string, problem: string): Error =>
  new Error(`line ${at + 1} of ${file} ${problem}; delete the line, and its episode is played again`);
