/** The group of a check: what stands before the last slash. */
export const groupOf = ({ check }: { readonly check: string }): string => check.slice(0, check.lastIndexOf('/'));

/** Results by group, both in the order in which they came. */
export function groupsOf<T extends { readonly check: string }>(
  results: readonly T[],
): { readonly group: string; readonly results: readonly T[] }[] {
  const groups = new Map<string, T[]>();
  for (const result of results) groups.set(groupOf(result), [...(groups.get(groupOf(result)) ?? []), result]);
  return [...groups].map(([group, ofGroup]) => ({ group, results: ofGroup }));
}
