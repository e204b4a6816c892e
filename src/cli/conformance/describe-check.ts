import {
  type CheckPrerequisite,
  type ClientCheck,
  type ConformanceCheck,
  getRequirement,
} from '../../conformance/index.ts';
import { joinWords, plural, truncate } from '../../core/index.ts';
import { type Terminal, wrapText } from '../terminal/terminal.ts';

/** Returns the JSON form of a check for `--list` and `--explain`. */
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

/** Formats a line per check. */
export function showList(checks: readonly ConformanceCheck[], terminal: Terminal): string {
  const rows = checks.map((check) => {
    const { check: id, requirement, level, profile, title } = describeCheck(check);
    return { id, facts: `${requirement.padEnd(14)}${level.toUpperCase().padEnd(8)}${profile.padEnd(11)}`, title };
  });
  return formatRows(rows, terminal);
}

/** Formats everything about a check except its exchanges. */
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

/** Returns the JSON form of a client check for `--list` and `--explain`. */
export function describeClientCheck(check: ClientCheck) {
  const { id, title, requirement } = check;
  const { level, sentence, contested, source } = getRequirement(check);
  return { check: id, title, requirement, level, contested, sentence, ...source };
}

/** Formats a line per client check. */
export function listClientChecks(checks: readonly ClientCheck[], terminal: Terminal): string {
  const rows = checks.map((check) => {
    const { check: id, requirement, level, title } = describeClientCheck(check);
    return { id, facts: `${requirement.padEnd(14)}${level.toUpperCase().padEnd(8)}`, title };
  });
  return formatRows(rows, terminal);
}

export function explainClientCheck(check: ClientCheck, terminal: Terminal): string {
  const { check: id, title, requirement, level, sentence, document, heading } = describeClientCheck(check);
  const lines = [
    `${requirement} (${level.toUpperCase()}): ${sentence}`,
    `From ${document}, "${heading}".`,
    `The client: ${title}.`,
  ];
  const about = lines.map((line) => `${wrapText(line, terminal.width, '  ')}\n`).join('');
  return `${terminal.style('bold', id)}\n${about}`;
}

interface CheckRow {
  readonly id: string;
  readonly facts: string;
  readonly title: string;
}

function formatRows(rows: readonly CheckRow[], terminal: Terminal): string {
  const column = Math.max(0, ...rows.map(({ id }) => id.length)) + 2;
  const lines = rows.map(({ id, facts, title }) => {
    const width = Math.max(20, terminal.width - column - facts.length);
    const rest = terminal.isInteractive ? truncate(title, width) : title;
    return `${terminal.style('cyan', id)}${' '.repeat(column - id.length)}${facts}${rest}\n`;
  });
  return `${lines.join('')}${plural(rows.length, 'check')}\n`;
}
