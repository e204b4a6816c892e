import { isRecord, previewJson } from '../../core/index.ts';
import type { AgentReport, StopReason } from '../agent.ts';

const STOPS: Readonly<Record<StopReason, true>> = {
  ...{ finished: true, stopped: true, turn_limit: true, token_limit: true, time_limit: true, output_limit: true },
  ...{ context_overflow: true, refusal: true, malformed_arguments: true },
};

/**
 * What an agent returned, which may be a module that nobody has checked.
 *
 * @throws TypeError that says what is wrong in it.
 */
export function parseAgentReport(returned: unknown): AgentReport {
  if (returned === undefined || returned === null) return {};
  if (!isRecord(returned)) throw wrong('', returned, 'an object, or nothing');
  const { stop, turns, usage } = returned;
  if (stop !== undefined && !(typeof stop === 'string' && Object.hasOwn(STOPS, stop)))
    throw wrong('stop', stop, `one of ${Object.keys(STOPS).join(', ')}`);
  checkCount('turns', turns);
  if (usage !== undefined && usage !== null) {
    if (!isRecord(usage)) throw wrong('usage', usage, '{ inputTokens, outputTokens }');
    checkCount('usage.inputTokens', usage.inputTokens);
    checkCount('usage.outputTokens', usage.outputTokens);
  }
  // Each of its fields has been looked at.
  return returned as AgentReport;
}

function checkCount(name: string, value: unknown): void {
  if (value === undefined || value === null || (Number.isSafeInteger(value) && Number(value) >= 0)) return;
  throw wrong(name, value, 'a whole number from 0 up');
}

function wrong(field: string, value: unknown, requested: string): TypeError {
  const place = field === '' ? 'what the agent returned' : `the '${field}' that the agent returned`;
  return new TypeError(`${place} is ${previewJson(value)}; it must be ${requested}`);
}
