import { formatCount, oneLine, shellCommand, truncate } from '../../core/index.ts';
import type { RolloutOutcome, RunResults } from '../../rollout/index.ts';
import { duration, score } from '../terminal/figures.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Prints what came of a run as a table of two columns. */
export function showRolloutResults(results: RunResults, terminal: Terminal): void {
  const rows = rowsOf(results);
  const width = Math.max(...rows.map(([title]) => title.length));
  for (const [title, text] of rows) terminal.print(`${terminal.style('bold', title.padEnd(width))}  ${text}\n`);
}

function rowsOf(results: RunResults): [string, string][] {
  const { episodes, reward, pass_at, pass, seconds, failures, stops, tools, tokens } = results;
  const failed = counts(failures);
  return [
    ['run', oneLine(results.run)],
    ['played', oneLine(`${results.environment} ${results.split}, by ${results.agent}`)],
    ['episodes', `${formatCount(episodes.ended)} of ${formatCount(episodes.planned)}${missing(results)}`],
    [
      'reward',
      `${score(reward.mean)}${error(reward.standard_error)}, from ${score(reward.min)} to ${score(reward.max)}`,
    ],
    ...(reward.without > 0 ? [row('without reward', `${formatCount(reward.without)}, which count 0`)] : []),
    ...Object.entries(pass_at).map(([k, part]) =>
      row(`pass@${k}`, `${score(part)} (reward of ${score(pass)} or more)`),
    ),
    ['ended by', counts(stops) || '-'],
    ...(failed ? [row('attempts failed', `${failed}; none of them is scored`), ...reasons(results)] : []),
    ['calls', `${score(results.steps)} an episode${toolText(tools)}`],
    ...(results.turns === null ? [] : [row('turns', `${score(results.turns)} an episode`)]),
    ...(tokens.input === null && tokens.output === null ? [] : [row('tokens', tokenText(tokens))]),
    [
      'time',
      `${duration(seconds.mean)} an episode, median ${duration(seconds.median)}, 95 % within ${duration(seconds.p95)}`,
    ],
  ];
}

const row = (title: string, text: string): [string, string] => [title, text];
const error = (value: number | null): string => (value === null ? '' : ` ± ${score(value)} (standard error)`);
const missing = ({ episodes }: RunResults): string =>
  episodes.missing > 0 ? `; ${formatCount(episodes.missing)} are missing` : '';

const counts = (byName: Readonly<Record<string, number>>): string =>
  Object.entries(byName)
    .sort(([, one], [, other]) => other - one)
    .map(([name, times]) => `${name} ${formatCount(times)}`)
    .join(', ');

const SHOWN_REASONS = 3;
const SHOWN_REASON = 300;

const reasons = ({ failure_reasons }: RunResults): [string, string][] =>
  failure_reasons
    .slice(0, SHOWN_REASONS)
    .map(({ kind, message, count: times }) =>
      row('', `${formatCount(times)} x ${kind}: ${truncate(oneLine(message), SHOWN_REASON)}`),
    );

const tokenText = ({ input, output }: RunResults['tokens']): string =>
  `${input === null ? '-' : formatCount(input)} read, ${output === null ? '-' : formatCount(output)} written`;

function toolText(tools: RunResults['tools']): string {
  const shown = Object.entries(tools)
    .sort(([, one], [, other]) => other.calls - one.calls)
    .map(([name, { calls, rewardedCalls, reward }]) => {
      const gave = rewardedCalls === 0 ? 'no reward' : `reward ${score(reward)}`;
      return `${oneLine(name)} ${formatCount(calls)} (${gave})`;
    });
  return shown.length === 0 ? '' : `: ${shown.join(', ')}`;
}

/** What to do next. */
export function describeRolloutNextSteps(
  { results, error: stopped }: RolloutOutcome,
  folder: string,
  place: readonly string[] | undefined,
): string {
  const { run, complete, failures } = results;
  const lines = [`results  ${folder}/results.json, rewards.jsonl`];
  if (Object.keys(failures).length > 0) lines.push(`failures ${folder}/failures.jsonl`);
  if (place) lines.push(`traces   ${shellCommand('ors', 'traces', 'ls', ...place, '--run', run)}`);
  if (!complete || stopped !== undefined) lines.push(`go on    ${resumeLine(folder)}`);
  return lines.map((line) => `${line}\n`).join('');
}

export const resumeLine = (folder: string): string => shellCommand('ors', 'rollout', '--resume', folder);
