import { groupBy } from '../../core/index.ts';
/** The group of a check: what stands before the last slash. */
export const checkGroup = ({ check }: { readonly check: string }): string => check.slice(0, check.lastIndexOf('/'));

/** Results by group, both in the order in which they came. */
export function groupResults<T extends { readonly check: string }>(
  results: readonly T[],
): { readonly group: string; readonly results: readonly T[] }[] {
  return [...groupBy(results, checkGroup)].map(([group, ofGroup]) => ({ group, results: ofGroup }));
}
