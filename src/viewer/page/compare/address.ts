/** Which two of the traces that an address names are held against each other; undefined where it names too few. */
export function readComparedIds(query: URLSearchParams) {
  const named = (query.get('traces') ?? '').split(',').filter((id) => id !== '');
  const ids = [...new Set(named)];
  const left = ids.find((id) => id === query.get('left')) ?? ids[0];
  const right = ids.find((id) => id === query.get('right')) ?? ids.find((id) => id !== left);
  return { ids, left, right, isTwice: named.length > 1 };
}

/** Which of so many differences is looked at, from 1; 0 for none. */
export function readDifferenceIndex(query: URLSearchParams, differences: number): number {
  const at = Number(query.get('at') || 0);
  return Number.isInteger(at) && at > 0 && at <= differences ? at : 0;
}

/** Names of an address that mean nothing for a comparison with so many differences. */
export function unknownCompareParams(query: URLSearchParams, differences: number): readonly string[] {
  const { ids } = readComparedIds(query);
  const sides = ['left', 'right'].filter((name) => query.get(name) && !ids.includes(query.get(name) ?? ''));
  return [...sides, ...(query.get('at') && readDifferenceIndex(query, differences) === 0 ? ['at'] : [])];
}
