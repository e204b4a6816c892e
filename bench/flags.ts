/** The names of a comma-separated list, in the order of those there are; all of them without a list. */
export function chosen<Name extends string>(
  option: string,
  list: string | undefined,
  all: readonly Name[],
): readonly Name[] {
  if (list === undefined) return all;
  const wanted = list.split(',').map((name) => name.trim());
  const unknown = wanted.find((name) => !all.some((one) => one === name));
  if (unknown !== undefined) throw new Error(`${option}: '${unknown}' is none of ${all.join(', ')}.`);
  return all.filter((name) => wanted.includes(name));
}
