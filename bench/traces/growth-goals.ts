import { median } from '../load/statistics.ts';
import { markdownTable } from '../markdown-table.ts';
import type { Row } from '../results.ts';
import type { Section } from '../sections.ts';

/** A cost that grew as the database does would be ten times as high, one that grows as its indexes do some more than one. */
const AT_MOST = 1.5;
const AT_LEAST = 1 / AT_MOST;

/** Whether what was measured of a growing database stayed flat: its last three looks beside the one at a tenth of the whole. */
export function growthGoals({ contestants, rows }: Section): string {
  const [, tenth = '', ...others] = contestants;
  const judged = rows.filter(isJudged).map(({ name, better, figures }) => {
    const late = median(others.slice(-3).flatMap((size) => figures[size]?.median ?? []));
    const found = late / (figures[tenth]?.median ?? Number.NaN);
    const isMet = better === 'more' ? found >= AT_LEAST : found <= AT_MOST;
    const bound = better === 'more' ? `at least ${AT_LEAST.toFixed(2)}` : `at most ${AT_MOST.toFixed(2)}`;
    return [name, bound, found.toFixed(2), isMet ? 'met' : '**not met**'];
  });
  return markdownTable([`the last three by ${tenth}`, 'goal', 'found', ''], judged);
}

/** CPU where there is some, since the clock shows what else the machine does. */
const isJudged = ({ name, better }: Row): boolean => better === 'more' || name.includes('CPU');
