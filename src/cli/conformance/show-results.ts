import { type CheckResult, type CheckState, type ConformanceResults, groupResults } from '../../conformance/index.ts';
import { oneLine, plural, shellCommand, stripControls } from '../../core/index.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { wrapText } from '../terminal/wrap.ts';

const SIGNS: Readonly<Record<CheckState, string>> = {
  pass: '✓',
  fail: '✗',
  warn: '!',
  'n/a': '-',
  'not-testable': '?',
  'harness-error': '‼',
};

const STYLES = {
  pass: 'green',
  fail: 'red',
  warn: 'yellow',
  'n/a': 'dim',
  'not-testable': 'dim',
  'harness-error': 'red',
} as const satisfies Readonly<Record<CheckState, Parameters<Terminal['style']>[0]>>;

const NAMES: Readonly<Partial<Record<CheckState, string>>> = {
  'not-testable': 'not testable',
  'harness-error': 'error of the suite',
};

export const stateText = (state: CheckState, terminal: Terminal, text: string = NAMES[state] ?? state): string =>
  terminal.style(STYLES[state], text);

/** The results as a tree: all of them if asked for, else what is not a plain pass, and the headline. */
export function showConformanceResults(results: ConformanceResults, terminal: Terminal, isVerbose: boolean): string {
  const groups = groupResults(results.results).map(({ group, results: ofGroup }) => {
    const shown = isVerbose ? ofGroup : ofGroup.filter(isWorthALine);
    const lines = shown.map((result) => checkLines(result, terminal, isVerbose)).join('');
    return `${terminal.style('bold', group)}  ${counts(ofGroup, terminal)}\n${lines}`;
  });
  return `\n${groups.join('')}\n${ending(results, terminal)}`;
}

/** What cannot be tested is told by its reasons, at the end. */
const isWorthALine = ({ state, notes }: CheckResult): boolean =>
  state !== 'not-testable' && (state !== 'pass' || notes.length > 0);

function counts(results: readonly CheckResult[], terminal: Terminal): string {
  return Object.keys(SIGNS)
    .map((state) => state as CheckState)
    .flatMap((state) => {
      const count = results.filter((result) => result.state === state).length;
      return count === 0 ? [] : [stateText(state, terminal, `${count} ${NAMES[state] ?? state}`)];
    })
    .join(', ');
}

function checkLines(result: CheckResult, terminal: Terminal, isVerbose: boolean): string {
  const { check, requirement, level, state, message, notes, expected_failure: expected, contested } = result;
  const strength = `${requirement} ${level.toUpperCase()}${contested ? ', contested' : ''}`;
  const mark = expected === null ? '' : ' (expected)';
  const sign = stateText(state, terminal, `${SIGNS[state]} ${check}`);
  // Of an error of the suite the place is for whoever mends it.
  const told = state === 'harness-error' && !isVerbose ? message?.split('\n')[0] : message;
  const texts = [
    ...(told ? [stripControls(told)] : []),
    ...(expected === null ? [] : [`expected: ${stripControls(expected)}`]),
    ...notes.map((note) => `seen: ${stripControls(note)}`),
  ];
  const lines = texts.map((text) => `${wrapText(text, terminal.width, '      ')}\n`).join('');
  return `  ${sign}${mark}  ${terminal.style('dim', strength)}\n${lines}`;
}

function ending(results: ConformanceResults, terminal: Terminal): string {
  const { summary, verdict } = results;
  const tone = verdict.outcome === 'conforms' ? 'green' : verdict.outcome === 'incomplete' ? 'yellow' : 'red';
  const why = verdict.reasons.map((reason) => `${wrapText(oneLine(reason), terminal.width, '  ')}\n`).join('');
  return [
    `${terminal.style('bold', terminal.style(tone, wrapText(summary.headline, terminal.width)))}\n`,
    why,
    untested(results, terminal),
    next(results, terminal),
  ].join('');
}

function untested({ summary }: ConformanceResults, terminal: Terminal): string {
  if (summary.not_testable.length === 0) return '';
  const lines = summary.not_testable.map(({ reason, checks }) => {
    const ids = terminal.style('dim', wrapText(checks.join(', '), terminal.width, '    '));
    return `${wrapText(`${plural(checks.length, 'check')}: ${oneLine(reason)}`, terminal.width, '  ')}\n${ids}\n`;
  });
  return `\nNot testable:\n${lines.join('')}`;
}

/** What to type next. */
function next({ results, summary, url, subject }: ConformanceResults, terminal: Terminal): string {
  if (subject === 'client') return '';
  const broken = (['fail', 'harness-error', 'warn'] as const).flatMap((state) =>
    results.filter((result) => result.state === state && result.expected_failure === null),
  );
  const [first] = broken;
  if (first) {
    const line = terminal.style('cyan', shellCommand('ors', 'conformance', url, '--explain', first.check));
    // Everything that needs an episode is not testable then.
    const isLocked = broken.some(({ check }) => check === 'session/create-by-index');
    const secrets = isLocked ? 'If its episodes need secrets, give them by --secrets @secrets.json.\n' : '';
    return `\nNext: ${line}\n${secrets}`;
  }
  const lacksInput = summary.not_testable.some(({ reason }) => reason.includes('--input <tool>=<json>'));
  if (lacksInput) return '\nNext: name an input that one of the tools can use, by --input <tool>=<json>.\n';
  const lacksFixture = summary.not_testable.some(({ reason }) => reason.startsWith('needs the fixture'));
  if (lacksFixture) return '\nNext: serve the fixture environment as well (docs/conformance-fixture.md).\n';
  return '';
}
