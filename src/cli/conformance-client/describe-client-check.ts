import { type ClientCheck, getRequirement } from '../../conformance/index.ts';
import { plural, truncate } from '../../core/index.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { wrapText } from '../terminal/wrap.ts';

/** What of a check `--list` and `--explain` tell, for programs. */
export function describeClientCheck(check: ClientCheck) {
  const { id, title, requirement } = check;
  const { level, sentence, contested, source } = getRequirement(check);
  return { check: id, title, requirement, level, contested, sentence, ...source };
}

/** A line per check. */
export function listClientChecks(checks: readonly ClientCheck[], terminal: Terminal): string {
  const ids = Math.max(...checks.map(({ id }) => id.length)) + 2;
  const lines = checks.map((check) => {
    const { check: id, requirement, level, title } = describeClientCheck(check);
    const facts = `${requirement.padEnd(14)}${level.toUpperCase().padEnd(8)}`;
    const rest = terminal.isInteractive ? truncate(title, Math.max(20, terminal.width - ids - facts.length)) : title;
    return `${terminal.style('cyan', id)}${' '.repeat(ids - id.length)}${facts}${rest}\n`;
  });
  return `${lines.join('')}${plural(checks.length, 'check')}\n`;
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
