import { isRecord, tryParseJson } from '../../core/index.ts';
import { REDUCERS } from '../rewards/index.ts';
import { isCount, isNumber, isText, orNull, orUndefined } from './checks.ts';
import type { RunPlan } from './run-plan.ts';

const isRange = (value: unknown): boolean => isRecord(value) && isCount(value.start) && orNull(isCount)(value.stop);

const FIELDS: Readonly<Record<keyof RunPlan, (value: unknown) => boolean>> = {
  run: isText,
  id: orUndefined(isText),
  step: orUndefined(isCount),
  url: isText,
  environment: isText,
  split: isText,
  tasks: (value) => Array.isArray(value) && value.every(isRange),
  task_count: orUndefined(isCount),
  samples: (value) => isCount(value) && value !== 0,
  agent: isText,
  limits: (value) =>
    isRecord(value) && isCount(value.turns) && orNull(isCount)(value.tokens) && orNull(isNumber)(value.seconds),
  reducer: (value) => REDUCERS.some((name) => name === value),
  pass: isNumber,
  started_at: isText,
  settings: isRecord,
};

/** Reads the text of a `run.json`. @throws Error that names the file, what is wrong, and what to do. */
export function parseRunPlan(text: string, file: string): RunPlan {
  const plan = tryParseJson(text);
  const advice = 'put it back as it was, or begin a new run in another folder';
  if (!isRecord(plan)) throw new Error(`${file} is no plan of a run, because it is no JSON object; ${advice}`);
  const wrong = Object.entries(FIELDS).find(([name, check]) => !check(plan[name]));
  if (wrong) throw new Error(`${file} is no plan of a run, because of its '${wrong[0]}'; ${advice}`);
  // Each of its fields has been looked at.
  return plan as unknown as RunPlan;
}
