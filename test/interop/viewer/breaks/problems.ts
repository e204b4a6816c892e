import { countOccurrences } from '../../../support/checkout.ts';
import type { Break } from './break.ts';
import { sourceOf } from './checkout.ts';
import { breaks } from './index.ts';
import { points } from './points.ts';

/** Returns the problems of the table itself. */
export function problemsOf(table: readonly Break[]): readonly string[] {
  const stale = table.flatMap(({ point, source, find, replace }) => {
    const times = countOccurrences({ file: sourceOf(source), find, replace });
    return times === 1 ? [] : [`point ${point}: expected one occurrence in ${sourceOf(source)}, got ${times}: ${find}`];
  });
  const uncovered = Object.keys(points).filter((point) => !breaks.some((each) => each.point === Number(point)));
  return [...stale, ...uncovered.map((point) => `point ${point} has no break`)];
}
