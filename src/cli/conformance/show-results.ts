import {
  type CheckResult,
  type CheckState,
  type ConformancePlan,
  type ConformanceResults,
  groupResults,
  type ResultsDiff,
  type StateChange,
  shortReason,
  type UnmatchedResult,
} from '../../conformance/index.ts';
import { countBy, groupBy, noun, oneLine, plural, stripControls, truncate } from '../../core/index.ts';
import { orsCommand, type Terminal, wrapText } from '../terminal/terminal.ts';

const STATES = {
  pass: { sign: '✓', style: 'green', name: 'pass' },
  fail: { sign: '✗', style: 'red', name: 'fail' },
  warn: { sign: '!', style: 'yellow', name: 'warn' },
  'n/a': { sign: '-', style: 'dim', name: 'n/a' },
  'not-testable': { sign: '?', style: 'dim', name: 'not testable' },
  'harness-error': { sign: '‼', style: 'red', name: 'suite error' },
} as const satisfies Readonly<Record<CheckState, unknown>>;

const stateText = (state: CheckState, terminal: Terminal, text: string = STATES[state].name): string =>
  terminal.style(STATES[state].style, text);

/** Formats the results by group, without plain passes unless verbose, and the headline. */
export function showConformanceResults(results: ConformanceResults, terminal: Terminal, isVerbose: boolean): string {
  const groups = groupResults(results.results).map(({ group, results: ofGroup }) => {
    const shown = isVerbose ? ofGroup : ofGroup.filter(isShown);
    const lines = shown.map((result) => checkLines(result, terminal, isVerbose)).join('');
    return `${terminal.style('bold', group)}  ${counts(ofGroup, terminal)}\n${lines}`;
  });
  return `\n${groups.join('')}\n${ending(results, terminal)}`;
}

/** Checks that are not testable are listed by reason, at the end. */
const isShown = ({ state, notes }: CheckResult): boolean =>
  state !== 'not-testable' && (state !== 'pass' || notes.length > 0);

function counts(results: readonly CheckResult[], terminal: Terminal): string {
  const counted = countBy(results, ({ state }) => state);
  // Its keys are the states.
  return (Object.keys(STATES) as CheckState[])
    .filter((state) => counted.has(state))
    .map((state) => stateText(state, terminal, `${counted.get(state)} ${STATES[state].name}`))
    .join(', ');
}

function checkLines(result: CheckResult, terminal: Terminal, isVerbose: boolean): string {
  const {
    check,
    requirement,
    level,
    state,
    message,
    notes,
    expected_failure: expected,
    of_sdk: sdk,
    contested,
  } = result;
  const strength = `${requirement} ${level.toUpperCase()}${contested ? ', contested' : ''}`;
  const mark = expected === null ? '' : ` (${sdk ?? 'expected'})`;
  const sign = stateText(state, terminal, `${STATES[state].sign} ${check}`);
  // The stack of a suite error is for --verbose.
  const reason = state === 'harness-error' && !isVerbose ? message?.split('\n')[0] : message;
  const texts = [
    reason ?? '',
    expected === null ? '' : `${sdk ?? 'expected'}: ${expected}`,
    ...notes.map((note) => `seen: ${note}`),
  ];
  const lines = wrappedLines(texts, terminal, '      ');
  return `  ${sign}${mark}  ${terminal.style('dim', strength)}\n${lines}`;
}

/** Wraps the texts that are not empty, each on lines of its own. */
const wrappedLines = (texts: readonly string[], terminal: Terminal, indent: string): string =>
  texts.map((text) => text && `${wrapText(stripControls(text), terminal.width, indent)}\n`).join('');

function ending(results: ConformanceResults, terminal: Terminal): string {
  const { summary, verdict } = results;
  const tone = verdict.outcome === 'conforms' ? 'green' : verdict.outcome === 'incomplete' ? 'yellow' : 'red';
  const why = wrappedLines(verdict.reasons.map(oneLine), terminal, '  ');
  return [
    `${terminal.style('bold', terminal.style(tone, wrapText(summary.headline, terminal.width)))}\n`,
    why,
    ofSdk(results, terminal),
    untested(results, terminal),
    next(results, terminal),
  ].join('');
}

/** Lists the checks that fail because of the SDK, and those that fail because of the environment. */
function ofSdk({ results }: ConformanceResults, terminal: Terminal): string {
  const bySdk = groupBy(
    results.filter(({ of_sdk }) => of_sdk !== undefined),
    ({ of_sdk }) => of_sdk ?? '',
  );
  if (bySdk.size === 0) return '';
  const own = results.filter(({ state, of_sdk }) => (state === 'fail' || state === 'warn') && of_sdk === undefined);
  const parts = [...bySdk, ['the environment', own] as const].map(([name, caused]) => {
    const ids = caused.map(({ check }) => check).join(', ') || 'none';
    return `  ${oneLine(name)}: ${caused.length}\n${terminal.style('dim', wrapText(ids, terminal.width, '    '))}\n`;
  });
  return `\nFailures and warnings by cause:\n${parts.join('')}`;
}

function untested({ summary }: ConformanceResults, terminal: Terminal): string {
  if (summary.not_testable.length === 0) return '';
  const lines = summary.not_testable.map(({ reason, checks }) => {
    const ids = terminal.style('dim', wrapText(checks.join(', '), terminal.width, '    '));
    return `${wrapText(`${plural(checks.length, 'check')}: ${oneLine(reason)}`, terminal.width, '  ')}\n${ids}\n`;
  });
  return `\nNot testable:\n${lines.join('')}`;
}

/** Formats the next command to run. */
function next({ results, summary, url, subject }: ConformanceResults, terminal: Terminal): string {
  if (subject === 'client') return '';
  const broken = (['fail', 'harness-error', 'warn'] as const).flatMap((state) =>
    results.filter((result) => result.state === state && result.expected_failure === null),
  );
  const [first] = broken;
  if (first) {
    const line = terminal.style('cyan', orsCommand('conformance', url, '--explain', first.check));
    // Without a session, every check that needs an episode is not testable.
    const isLocked = broken.some(({ check }) => check === 'session/create-by-index');
    const secrets = isLocked ? 'If its episodes need secrets, pass them with --secrets @secrets.json.\n' : '';
    return `\nNext: ${line}\n${secrets}`;
  }
  const missing = new Set(summary.not_testable.map(({ reason }) => shortReason(reason)));
  if (missing.has('no valid input')) {
    return '\nNext: pass a valid input for one of the tools with --input <tool>=<json>.\n';
  }
  return missing.has('no fixture')
    ? '\nNext: serve the fixture environment as well (docs/development/conformance-fixture.md).\n'
    : '';
}

const MAX_RESPONSE_CHARACTERS = 400;

/** Formats the result of a check and its requests as curl lines. */
export function showEvidence(result: CheckResult, { url }: ConformanceResults, terminal: Terminal): string {
  const { state, message, notes, exchanges, exchanges_left_out: leftOut } = result;
  const details = wrappedLines([message ?? '', ...notes.map((note) => `seen: ${note}`)], terminal, '    ');
  const before = leftOut > 0 ? `    (${leftOut} earlier requests are omitted)\n` : '';
  const requests = exchanges.map((exchange) => exchangeText(exchange, terminal)).join('');
  const made = exchanges.length === 0 ? 'sent no request' : 'sent these requests';
  return `\n  On ${url}: ${stateText(state, terminal)}; the check ${made}.\n${details}${before}${requests}`;
}

function exchangeText(exchange: CheckResult['exchanges'][number], terminal: Terminal): string {
  const { curl, method, url, status, failure, response_body: body } = exchange;
  const line = curl ?? `${method} ${url} (its body is too large, or is not text)`;
  const outcome = failure === null ? String(status) : `${status ?? 'no response'} (${failure})`;
  const content = body.encoding === 'utf-8' ? body.content : `${body.length} bytes that are not UTF-8`;
  const response = truncate(oneLine(`${outcome} ${content}`), MAX_RESPONSE_CHARACTERS);
  return `\n  ${terminal.style('cyan', oneLine(line))}\n${wrapText(response, terminal.width, '    ')}\n`;
}

/** Formats the subject of a run on one line. */
export function subjectLine(url: string, environment: string, profiles: readonly string[], checks: number): string {
  const profile = `${noun(profiles.length, 'profile')} ${profiles.join(', ')}`;
  return `${url} · environment ${oneLine(environment)} · ${profile} · ${plural(checks, 'check')}`;
}

/** Formats the limits of a run: "at most 14 sessions, 22 calls, 120 s". */
export function budgetLine({ sessions, calls, seconds }: ConformancePlan['budget']): string {
  const time = Number.isFinite(seconds) ? `${seconds} s` : 'no time limit';
  return `at most ${plural(sessions, 'session')}, ${plural(calls, 'call')}, ${time}`;
}

/** Formats what a run would do, according to discovery. */
export function showPlan({ checks }: ConformancePlan, terminal: Terminal): string {
  const rows = checks.map(({ check, missing }) => ({ check: check.id, missing }));
  const groups = groupResults(rows).map(({ group, results }) => {
    const runnable = results.filter(({ missing }) => missing === undefined).map(({ check }) => check);
    const untestable = results.filter(({ missing }) => missing !== undefined);
    const names = runnable.length === 0 ? '' : `${wrapText(runnable.join(', '), terminal.width, '  ')}\n`;
    const others = untestable.map(({ check, missing = '' }) =>
      terminal.style('dim', `${wrapText(`? ${check}: ${oneLine(missing)}`, terminal.width, '  ')}\n`),
    );
    return `${terminal.style('bold', group)}  ${runnable.length} would run, ${untestable.length} not testable\n${names}${others.join('')}`;
  });
  return `\n${groups.join('')}`;
}

/** Formats the differences between two runs; regressions come first. */
export function showResultsDiff(
  difference: ResultsDiff,
  [before, after]: readonly [ConformanceResults, ConformanceResults],
  terminal: Terminal,
): string {
  const { worse, better, changed, added, gone, same } = difference;
  const parts = [
    runLine('from', before),
    runLine('to', after),
    otherSubject(before, after, terminal),
    part('Worse', worse, changeText, terminal),
    part('Better', better, changeText, terminal),
    part('Changed', changed, changeText, terminal),
    part('New', added, singleText, terminal),
    part('Gone', gone, singleText, terminal),
  ];
  const counts = `${worse.length} worse, ${better.length} better, ${changed.length} changed, ${added.length} new, ${gone.length} gone, ${same} the same`;
  return `${parts.join('')}\n${terminal.style('bold', counts)}\n`;
}

const runLine = (word: string, { url, client, started_at: started, suite, summary }: ConformanceResults): string =>
  `${word.padEnd(4)} ${oneLine(client ?? url)}, ${oneLine(started)}, ${oneLine(suite)}: ${oneLine(summary.headline)}\n`;

/** Warns if the runs tested different subjects. */
function otherSubject(before: ConformanceResults, after: ConformanceResults, terminal: Terminal): string {
  const pairs = [
    ['environment', before.environment, after.environment],
    ['profile', before.profiles.join('+'), after.profiles.join('+')],
    ['subject', before.subject, after.subject],
  ] as const;
  const others = pairs.filter(([, from, to]) => from !== to).map(([what, from, to]) => `${what} ${from} -> ${to}`);
  if (others.length === 0) return '';
  return terminal.style('yellow', `The runs have different subjects: ${oneLine(others.join('; '))}\n`);
}

function part<T>(title: string, rows: readonly T[], show: (row: T, terminal: Terminal) => string, terminal: Terminal) {
  if (rows.length === 0) return '';
  return `\n${terminal.style('bold', title)}\n${rows.map((row) => show(row, terminal)).join('')}`;
}

function changeText({ check, from, to, level, message }: StateChange, terminal: Terminal): string {
  const reason = wrappedLines([message ?? ''], terminal, '      ');
  const states = `${stateText(from, terminal)} -> ${stateText(to, terminal)}`;
  return `  ${oneLine(check)} (${level.toUpperCase()}): ${states}\n${reason}`;
}

const singleText = ({ check, state, level }: UnmatchedResult, terminal: Terminal): string =>
  `  ${oneLine(check)} (${level.toUpperCase()}): ${stateText(state, terminal)}\n`;
