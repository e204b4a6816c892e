import { type ConformancePlan, groupResults } from '../../conformance/index.ts';
import { noun, oneLine, plural } from '../../core/index.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { wrapText } from '../terminal/wrap.ts';

/** What would be tested, in one line. */
export function subjectLine(url: string, environment: string, profiles: readonly string[], checks: number): string {
  const profile = `${noun(profiles.length, 'profile')} ${profiles.join(', ')}`;
  return `${url} · environment ${oneLine(environment)} · ${profile} · ${plural(checks, 'check')}`;
}

/** The most that a run can do: "at most 14 sessions, 22 calls, 120 s". */
export function budgetLine({ sessions, calls, seconds }: ConformancePlan['budget']): string {
  const time = Number.isFinite(seconds) ? `${seconds} s` : 'no limit of time';
  return `at most ${plural(sessions, 'session')}, ${plural(calls, 'call')}, ${time}`;
}

/** What a run would do, as discovery tells. */
export function showPlan({ checks }: ConformancePlan, terminal: Terminal): string {
  const rows = checks.map(({ check, missing }) => ({ check: check.id, missing }));
  const groups = groupResults(rows).map(({ group, results }) => {
    const will = results.filter(({ missing }) => missing === undefined).map(({ check }) => check);
    const wont = results.filter(({ missing }) => missing !== undefined);
    const names = will.length === 0 ? '' : `${wrapText(will.join(', '), terminal.width, '  ')}\n`;
    const others = wont.map(({ check, missing = '' }) =>
      terminal.style('dim', `${wrapText(`? ${check}: ${oneLine(missing)}`, terminal.width, '  ')}\n`),
    );
    return `${terminal.style('bold', group)}  ${will.length} would run, ${wont.length} not testable\n${names}${others.join('')}`;
  });
  return `\n${groups.join('')}`;
}
