import type { CheckPrerequisite, ConformanceCheck } from '../../conformance/index.ts';
import { getRequirement } from '../../conformance/index.ts';
import { joinWords, plural, truncate } from '../../core/index.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { wrapText } from '../terminal/wrap.ts';

/** What of a check `--list` and `--explain` tell, for programs. */
export function describeCheck(check: ConformanceCheck) {
  const { id, title, requirement, profile, needs = [], cost = {} } = check;
  const { level, sentence, contested, source } = getRequirement(check);
  const { sessions = 0, calls = 0 } = cost;
  return {
    check: id,
    title,
    requirement,
    level,
    contested,
    sentence,
    ...source,
    profile,
    needs,
    cost: { sessions, calls },
  };
}

/** A line per check. */
export function showList(checks: readonly ConformanceCheck[], terminal: Terminal): string {
  const column = (texts: readonly string[]) => Math.max(0, ...texts.map((text) => text.length)) + 2;
  const ids = column(checks.map(({ id }) => id));
  const lines = checks.map((check) => {
    const { check: id, requirement, level, profile, title } = describeCheck(check);
    const facts = `${requirement.padEnd(14)}${level.toUpperCase().padEnd(8)}${profile.padEnd(11)}`;
    const rest = terminal.isInteractive ? truncate(title, Math.max(20, terminal.width - ids - facts.length)) : title;
    return `${terminal.style('cyan', id)}${' '.repeat(ids - id.length)}${facts}${rest}\n`;
  });
  return `${lines.join('')}${plural(checks.length, 'check')}\n`;
}

/** Everything about a check but its exchanges. */
export function explainCheck(check: ConformanceCheck, terminal: Terminal): string {
  const {
    check: id,
    title,
    requirement,
    level,
    contested,
    sentence,
    document,
    heading,
    ...more
  } = describeCheck(check);
  const strength = `${level.toUpperCase()}${contested ? ', contested: it never fails' : ''}`;
  const { sessions, calls } = more.cost;
  const needs = more.needs.length === 0 ? '' : `; needs ${joinWords(more.needs.map(needText))}`;
  const lines = [
    `${requirement} (${strength}): ${sentence}`,
    `From ${document}, "${heading}".`,
    `The check: ${title}.`,
    `Profile ${more.profile}; at most ${plural(sessions, 'session')} and ${plural(calls, 'call')}${needs}.`,
  ];
  const about = lines.map((line) => `${wrapText(line, terminal.width, '  ')}\n`).join('');
  return `${terminal.style('bold', id)}\n${about}`;
}

const NEEDS: Readonly<Record<Exclude<CheckPrerequisite, `fixture:${string}`>, string>> = {
  task: 'a task',
  call: 'a tool that may be called',
  environments: 'a second environment',
  process: '--start',
  fixture: 'the fixture environment',
};

const needText = (need: CheckPrerequisite): string =>
  need in NEEDS
    ? NEEDS[need as keyof typeof NEEDS]
    : `the tool ${need.slice('fixture:'.length)} of the fixture environment`;
