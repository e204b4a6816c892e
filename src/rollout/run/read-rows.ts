import { isRecord, tryParseJson } from '../../core/index.ts';
import type { EpisodeRecord, FailureRecord } from '../episode/episode-record.ts';
import { isCount, isFlag, isNumber, isText, orNull } from './checks.ts';
import type { RunPlan } from './run-plan.ts';

type RecordChecks<Row> = Readonly<Partial<Record<keyof Row, (value: unknown) => boolean>>>;

const isStep = (value: unknown): boolean =>
  isRecord(value) &&
  isText(value.tool) &&
  isFlag(value.ok) &&
  orNull(isNumber)(value.reward) &&
  isNumber(value.seconds);

const EPISODE: RecordChecks<EpisodeRecord> = {
  ...{ task: isCount, sample: isCount, reward: orNull(isNumber), score: isNumber, stop: isText },
  ...{ steps: (value) => Array.isArray(value) && value.every(isStep), turns: orNull(isNumber) },
  ...{ input_tokens: orNull(isNumber), output_tokens: orNull(isNumber), seconds: isNumber },
  trace_id: orNull(isText),
  task_hash: (value) => value === undefined || isText(value),
};

const FAILURE: RecordChecks<FailureRecord> = { task: isCount, sample: isCount, kind: isText, message: isText };

/**
 * Reads the lines of `rewards.jsonl`: episodes of the plan, each once.
 *
 * @throws Error that names the line, and what to do with it.
 */
export function parseEpisodeRecords(lines: readonly string[], file: string, plan: RunPlan): EpisodeRecord[] {
  const places = new Map<string, number>();
  return lines.map((line, at) => {
    const row = readRow(EPISODE, line, file, at);
    const { task, sample } = row;
    const place = `task ${task}, sample ${sample}`;
    const before = places.get(place);
    if (before !== undefined) throw wrongLine(at, file, `is ${place}, which line ${before} is already`);
    places.set(place, at + 1);
    if (!isPlanned(row, plan)) throw wrongLine(at, file, `is ${place}, which run.json does not have`);
    return row;
  });
}

/** Reads the lines of `failures.jsonl`. Throws as `readEpisodes`. */
export const parseFailureRecords = (lines: readonly string[], file: string): FailureRecord[] =>
  lines.map((line, at) => readRow(FAILURE, line, file, at));

const isPlanned = ({ task, sample }: EpisodeRecord, { tasks, samples }: RunPlan): boolean =>
  sample < samples && tasks.some(({ start, stop }) => task >= start && task < (stop ?? Number.POSITIVE_INFINITY));

function readRow<Row>(checks: RecordChecks<Row>, line: string, file: string, at: number): Row {
  const row = tryParseJson(line);
  if (!isRecord(row)) throw wrongLine(at, file, 'is no episode');
  const wrong = Object.entries<RecordChecks<Row>[keyof Row]>(checks).find(([name, check]) => !check?.(row[name]));
  if (wrong) throw wrongLine(at, file, `is no episode, because of its '${wrong[0]}'`);
  // Its fields have been looked at.
  return row as Row;
}

const wrongLine = (at: number, file: string, what: string): Error =>
  new Error(`line ${at + 1} of ${file} ${what}; take it away, and what it told is played again`);
