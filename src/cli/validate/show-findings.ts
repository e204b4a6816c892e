import { oneLine, plural, stripControls } from '../../core/index.ts';
import type { FindingLevel, ValidationFinding, ValidationReport } from '../../validate/index.ts';
import { validationRules } from '../../validate/index.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { duration, wrapText } from '../terminal/text.ts';

const LEVELS = ['error', 'warning', 'note'] as const satisfies readonly FindingLevel[];
const SIGNS = { error: '✗', warning: '!', note: '-' } as const;
const STYLES = { error: 'red', warning: 'yellow', note: 'dim' } as const;
/** Maximum number of examples per rule and environment; further ones are counted. */
const MAX_EXAMPLES = 3;

/** Counts the findings per level. */
export const countByLevel = (findings: readonly ValidationFinding[]): Readonly<Record<FindingLevel, number>> => {
  const count = (level: FindingLevel) => findings.filter((finding) => finding.level === level).length;
  return { error: count('error'), warning: count('warning'), note: count('note') };
};

/** Formats each environment with its findings by rule, and a summary. */
export function showFindings(validation: ValidationReport, terminal: Terminal): string {
  const { environments, findings } = validation;
  const parts = environments.map(({ name, splits }) => {
    const own = findings.filter(({ environment }) => environment === name);
    const played = Object.entries(splits).map(([split, tasks]) => `${oneLine(split)} ${tasks}`);
    const head = `${terminal.style('bold', oneLine(name))}  ${countsText(own, terminal)}\n`;
    const tasks = terminal.style('dim', wrapText(`tasks played: ${played.join(', ') || 'none'}`, terminal.width, '  '));
    return `\n${head}${tasks}\n${LEVELS.map((level) => formatLevel(own, level, terminal)).join('')}`;
  });
  return `${parts.join('')}\n${ending(validation, terminal)}`;
}

function formatLevel(findings: readonly ValidationFinding[], level: FindingLevel, terminal: Terminal): string {
  return validationRules
    .map(({ name, sentence }) => {
      const own = findings.filter((finding) => finding.rule === name && finding.level === level);
      if (own.length === 0) return '';
      const sign = terminal.style(STYLES[level], `${SIGNS[level]} ${name}`);
      const about = level === 'note' ? '' : `${terminal.style('dim', wrapText(sentence, terminal.width, '    '))}\n`;
      return `  ${sign}\n${about}${examples(own, terminal)}`;
    })
    .join('');
}

function examples(findings: readonly ValidationFinding[], terminal: Terminal): string {
  const lines = findings.slice(0, MAX_EXAMPLES).map((finding) => {
    const place = placeOf(finding);
    return `${wrapText(stripControls(`${place === '' ? '' : `${place}: `}${finding.message}`), terminal.width, '    ')}\n`;
  });
  const others = findings.slice(MAX_EXAMPLES);
  if (others.length === 0) return lines.join('');
  const places = [...new Set(others.map(placeOf))].filter((place) => place !== '').join(', ');
  const more = `and ${others.length} more${places === '' ? '' : ` (${stripControls(places)})`}`;
  return `${lines.join('')}${terminal.style('dim', wrapText(more, terminal.width, '    '))}\n`;
}

const placeOf = ({ split, index }: ValidationFinding): string =>
  split === undefined ? '' : index === undefined ? split : `${split} ${index}`;

function countsText(findings: readonly ValidationFinding[], terminal: Terminal): string {
  const counts = countByLevel(findings);
  const shown = LEVELS.filter((level) => counts[level] > 0).map((level) =>
    terminal.style(STYLES[level], plural(counts[level], level)),
  );
  return shown.join(', ') || terminal.style('green', 'no findings');
}

function ending(validation: ValidationReport, terminal: Terminal): string {
  const { findings, tasks, episodes, calls, durationMs, seed, interrupted } = validation;
  const counts = countByLevel(findings);
  const tone = counts.error > 0 ? 'red' : counts.warning > 0 ? 'yellow' : 'green';
  const headline = `${LEVELS.map((level) => plural(counts[level], level)).join(', ')}`;
  const work = [plural(tasks, 'task'), plural(episodes, 'episode'), plural(calls, 'call')].join(', ');
  const end = interrupted ? '\nInterrupted: only the tasks played so far were validated.' : '';
  return `${terminal.style('bold', terminal.style(tone, headline))} in ${work}, ${duration(durationMs / 1000)}, seed ${seed}.${end}\n`;
}
