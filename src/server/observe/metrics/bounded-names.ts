/** Parentheses stand in no tool's name. */
const NONE = '(none)';
const OTHER = '(other)';

/** Names as labels: of each group the first `most` stand for themselves, all others for `(other)`. */
export function boundedNames(max: number): (group: string, name: string | undefined) => string {
  const known = new Map<string, Set<string>>();
  return (group, name) => {
    if (name === undefined) return NONE;
    const names = known.get(group) ?? new Set();
    known.set(group, names);
    if (names.has(name)) return name;
    if (names.size >= max) return OTHER;
    names.add(name);
    return name;
  };
}
