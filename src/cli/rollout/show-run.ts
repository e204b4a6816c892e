import { firstTimes, formatCount, oneLine, plural, sum, truncate, withoutTrailingSlashes } from '../../core/index.ts';
import type { RolloutOutcome, RunProgress, RunResults } from '../../rollout/index.ts';
import { countUnit, createProgressBar } from '../terminal/progress.ts';
import { duration, formatReward, openTerminal, orsCommand, type Terminal } from '../terminal/terminal.ts';
import { DEFAULT_TRACES_PORT } from '../traces/open-store.ts';

/** Prints the results of a run as a table of two columns. */
export function showRolloutResults(results: RunResults, terminal: Terminal): void {
  const rows = rowsOf(results);
  const width = Math.max(...rows.map(([title]) => title.length));
  for (const [title, text] of rows) terminal.print(`${terminal.style('bold', title.padEnd(width))}  ${text}\n`);
}

function rowsOf(results: RunResults): [string, string][] {
  const { episodes, reward, pass_at, pass, seconds, failures, stops, calls, tools, tokens } = results;
  const { mean, standard_error, min, max } = reward;
  const failed = counts(failures);
  return [
    ['run', oneLine(results.run)],
    ['played', oneLine(`${results.environment} ${results.split}, by ${results.agent}`)],
    ['episodes', `${formatCount(episodes.ended)} of ${formatCount(episodes.planned)}${missing(results)}`],
    ['reward', `${formatReward(mean)}${error(standard_error)}, from ${formatReward(min)} to ${formatReward(max)}`],
    ...(isUnrewarded(results) ? [row('no reward', whyUnrewarded(results))] : []),
    ...(reward.without > 0 ? [row('without reward', withoutReward(reward))] : []),
    ...groupRows(results),
    ...Object.entries(pass_at).map(([k, part]) =>
      row(`pass@${k}`, `${formatReward(part)} (reward of ${formatReward(pass)} or more)`),
    ),
    ['ended by', counts(stops) || '-'],
    ...(failed ? [row('attempts failed', `${failed}; not scored`), ...reasons(results)] : []),
    ['calls', `${formatReward(results.steps)} per episode${toolText(tools)}`],
    ...branchRows(results),
    ...(calls.made > 0 && calls.accepted === 0
      ? [row('accepted', 'no call, so no output and no reward was tested')]
      : []),
    ...(results.turns === null ? [] : [row('turns', `${formatReward(results.turns)} per episode`)]),
    ...(tokens.input === null && tokens.output === null ? [] : [row('tokens', tokenText(tokens))]),
    [
      'time',
      `${duration(seconds.mean)} per episode, median ${duration(seconds.median)}, 95 % within ${duration(seconds.p95)}`,
    ],
  ];
}

/** Returns whether no episode earned more than 0. */
const isUnrewarded = ({ episodes, reward, group_scores }: RunResults): boolean =>
  episodes.ended > 0 && reward.max !== null && reward.max <= 0 && !(group_scores?.max != null && group_scores.max > 0);

/** Notes by reason of the end; `%` is the share of the episodes. */
const STOP_NOTES: Readonly<Record<string, string>> = {
  stopped: 'the agent stopped by itself in %',
  turn_limit: 'turn limit reached in %; raise --turns',
  token_limit: 'token limit reached in %; raise --tokens',
  time_limit: 'time limit reached in %; raise --time',
  output_limit: 'response cut off in %; raise --max-output-tokens',
  context_overflow: 'conversation longer than the context of the model in %',
  refusal: 'the model or a content filter refused in %',
  malformed_arguments: 'only unreadable calls in %',
};

/** Returns the probable reasons why no episode earned anything, the most specific ones first. */
function whyUnrewarded({ episodes, calls, tools, stops, reward }: RunResults): string {
  const share = (count: number) => `${formatCount(count)} of ${formatCount(episodes.ended)}`;
  const rewarded = sum(Object.values(tools).map(({ rewardedCalls }) => rewardedCalls));
  const aboutCalls =
    calls.made === 0
      ? 'no tool was called'
      : calls.accepted === 0
        ? `${plural(calls.made, 'call')}, all refused`
        : rewarded === 0
          ? `${plural(calls.made, 'call')}, none with a reward`
          : `${plural(rewarded, 'call')} with a reward, none above 0`;
  const endings = Object.entries(STOP_NOTES).flatMap(([stop, note]) =>
    stops[stop] === undefined ? [] : [note.replace('%', share(stops[stop]))],
  );
  const ungraded = reward.ungraded > 0 ? [`no final message graded in ${share(reward.ungraded)}`] : [];
  return ['no episode earned more than 0', [aboutCalls, ...endings, ...ungraded].join('; ')].join(': ');
}

function withoutReward({ without, ungraded }: RunResults['reward']): string {
  const cause = ungraded > 0 ? `; ${formatCount(ungraded)} because no final message was graded` : '';
  return `${formatCount(without)}, which count as 0${cause}`;
}

/** The other rows are about the rewards of episodes. */
function groupRows({ group_scores }: RunResults): [string, string][] {
  if (!group_scores) return [];
  const { scored, failed, mean, min, max, failure_reason } = group_scores;
  const range = `${formatReward(mean)}, from ${formatReward(min)} to ${formatReward(max)}`;
  const rewards = scored === 0 ? 'none' : `${range}, of ${plural(scored, 'group')}; not in the other rows`;
  if (failed === 0) return [row('group reward', rewards)];
  const reason = truncate(oneLine(failure_reason ?? ''), SHOWN_REASON);
  return [row('group reward', rewards), row('groups failed', `${formatCount(failed)}; not scored: ${reason}`)];
}

/** Also in `rewards.jsonl`, for each call. */
function branchRows({ branches }: RunResults): [string, string][] {
  if (!branches) return [];
  const { states, continuations, tokens, advantages } = branches;
  const cost = tokens.input === null && tokens.output === null ? '' : `; tokens: ${tokenText(tokens)}`;
  const byTool = Object.entries(advantages)
    .filter(([, { calls }]) => calls > 0)
    .sort(([, one], [, other]) => other.mean - one.mean)
    .map(([name, { calls, mean }]) => `${oneLine(name)} ${formatReward(mean)} (${plural(calls, 'call')})`);
  return [
    row('branches', `${plural(continuations, 'continuation')} of ${plural(states, 'state')}${cost}`),
    ...(byTool.length > 0 ? [row('advantage', byTool.join(', '))] : []),
  ];
}

const row = (title: string, text: string): [string, string] => [title, text];
const error = (value: number | null): string => (value === null ? '' : ` ± ${formatReward(value)} (standard error)`);
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
      const mean = rewardedCalls === 0 ? 'no reward' : `reward ${formatReward(reward)}`;
      return `${oneLine(name)} ${formatCount(calls)} (${mean})`;
    });
  return shown.length === 0 ? '' : `: ${shown.join(', ')}`;
}

/** Formats the next commands to run. */
export function describeRolloutNextSteps(
  { results, error: stopped }: RolloutOutcome,
  folder: string,
  storeFlags: readonly string[] | undefined,
): string {
  const { run, complete, failures } = results;
  const lines = [`results  ${folder}/results.json, rewards.jsonl`];
  if (Object.keys(failures).length > 0) lines.push(`failures ${folder}/failures.jsonl`);
  if (storeFlags) lines.push(...viewLines(storeFlags, run));
  if (storeFlags) lines.push(`traces   ${orsCommand('traces', 'ls', ...storeFlags, '--run', run)}`);
  if (!complete || stopped !== undefined) lines.push(`resume   ${resumeLine(folder)}`);
  return lines.map((line) => `${line}\n`).join('');
}

/** Formats how to open a run in the viewer: its address, or the command that serves its store. */
function viewLines([flag = '', store = '']: readonly string[], run: string): string[] {
  const page = `/ui/?${new URLSearchParams({ view: 'run', run })}`;
  if (flag === '--url') return [`view     ${withoutTrailingSlashes(store)}${page}`];
  const serve = orsCommand('traces', 'serve', flag, store);
  return [`view     ${serve}`, `         then open http://127.0.0.1:${DEFAULT_TRACES_PORT}${page}`];
}

export const resumeLine = (folder: string): string => orsCommand('rollout', '--resume', folder);

/** Shorter pauses are not reported. */
const MIN_REPORTED_WAIT_MS = 10_000;
const WAIT_REPORT_INTERVAL_MS = 60_000;
const REDRAW_MS = 1_000;
/** Maximum number of different lines. */
const MAX_LINES = 20;

/**
 * Shows the progress of a run on the terminal.
 *
 * @param hide redacts secrets in a line.
 * @param terminal @default process.stderr
 */
export function createRunDisplay(hide: (text: string) => string, terminal = openTerminal(process.stderr)) {
  const progress = createProgressBar(countUnit('episode'), terminal);
  let last: RunProgress | undefined;
  let waiting: string | undefined;
  let waitUntil = 0;
  let reportedAt = Number.NEGATIVE_INFINITY;
  const isFirst = firstTimes(MAX_LINES);
  const draw = () => {
    if (!last) return;
    const left = Math.ceil((waitUntil - performance.now()) / 1000);
    const notes = [notesOf(last), waiting ?? '', left > 0 ? `the provider requests a pause of ${left} s` : ''];
    progress.show(last.ended, last.planned, notes.filter((note) => note !== '').join('  '));
  };
  const print = (line: string) => progress.printLine(`ors: ${hide(line)}`);
  const timer = setInterval(draw, REDRAW_MS).unref();
  return {
    show(now: RunProgress): void {
      last = now;
      draw();
    },
    /** Prints what the run waits for, and shows a note after the bar until `note` is undefined. */
    showWaiting(line: string, note: string | undefined): void {
      waiting = note;
      print(line);
      draw();
    },
    /** Reports that a provider requests a pause: on a line once a minute, and after the bar. */
    showRetryWait(ms: number, reason: string): void {
      if (ms < MIN_REPORTED_WAIT_MS) return;
      const now = performance.now();
      waitUntil = Math.max(waitUntil, now + ms);
      if (now - reportedAt < WAIT_REPORT_INTERVAL_MS) return;
      reportedAt = now;
      print(
        `the provider requests a pause of ${Math.ceil(ms / 1000)} s (${reason}); the run waits, and Ctrl-C ends it`,
      );
    },
    /** Prints a line, unless the same line was printed before. */
    printOnce(line: string): void {
      if (isFirst(line)) print(line);
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      progress[Symbol.dispose]();
    },
  };
}

function notesOf({ mean, failed, comparing }: RunProgress): string {
  const notes = [
    mean === null ? '' : `mean ${mean.toPrecision(3)}`,
    failed === 0 ? '' : `${failed} failed`,
    comparing === 0 ? '' : `comparing ${plural(comparing, 'group')}`,
  ];
  return notes.filter((note) => note !== '').join('  ');
}
