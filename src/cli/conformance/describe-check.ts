import {
  type CheckPrerequisite,
  type ClientCheck,
  type ConformanceCheck,
  getRequirement,
} from '../../conformance/index.ts';
import { joinWords, plural, truncate } from '../../core/index.ts';
import { padAll, type Terminal, wrapText } from '../terminal/terminal.ts';

/** A check of a server, or of a client. */
type Check = ConformanceCheck | ClientCheck;

/** Returns the JSON form of a check for `--list` and `--explain`. */
export function describeCheck(check: Check) {
  const { id, title, requirement } = check;
  const { level, sentence, contested, source } = getRequirement(check);
  return { check: id, title, requirement, level, contested, sentence, ...source, ...selectionOf(check) };
}

/** Returns what decides whether a check of a server runs. */
function selectionOf(check: Check) {
  if (!('profile' in check)) return {};
  const { profile, needs = [], cost: { sessions = 0, calls = 0 } = {} } = check;
  return { profile, needs, cost: { sessions, calls } };
}

/** Formats a line per check. */
export function listChecks(checks: readonly Check[], terminal: Terminal): string {
  const ids = padAll(checks.map(({ id }) => id));
  const lines = checks.map((check, at) => {
    const { requirement, level, profile, title } = describeCheck(check);
    const id = `${ids[at]}  `;
    const facts = `${requirement.padEnd(14)}${level.toUpperCase().padEnd(8)}${profile?.padEnd(11) ?? ''}`;
    const width = Math.max(20, terminal.width - id.length - facts.length);
    return `${terminal.style('cyan', id)}${facts}${terminal.isInteractive ? truncate(title, width) : title}\n`;
  });
  return `${lines.join('')}${plural(checks.length, 'check')}\n`;
}

/** Formats everything about a check except its exchanges. */
export function explainCheck(check: Check, terminal: Terminal): string {
  const { requirement, level, contested, sentence, document, heading, title, profile, needs, cost } =
    describeCheck(check);
  const strength = `${level.toUpperCase()}${contested && profile ? ', contested: it never fails' : ''}`;
  const lines = [
    `${requirement} (${strength}): ${sentence}`,
    `From ${document}, "${heading}".`,
    `The ${profile ? 'check' : 'client'}: ${title}.`,
  ];
  if (profile) {
    const limits = `at most ${plural(cost.sessions, 'session')} and ${plural(cost.calls, 'call')}`;
    const needed = needs.length === 0 ? '' : `; needs ${joinWords(needs.map(needText))}`;
    lines.push(`Profile ${profile}; ${limits}${needed}.`);
  }
  const about = lines.map((line) => `${wrapText(line, terminal.width, '  ')}\n`).join('');
  return `${terminal.style('bold', check.id)}\n${about}`;
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
