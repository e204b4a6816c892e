import type { RemoteEnvironment } from '../client/index.ts';
import { UnknownNameError } from '../core/index.ts';

/**
 * Returns the environments with the requested names.
 *
 * @throws UnknownNameError that lists the environments.
 */
export function selectEnvironments<Tried extends { readonly remote: RemoteEnvironment }>(
  environments: readonly Tried[],
  requested: readonly string[] | undefined,
): readonly Tried[] {
  if (requested === undefined) return environments;
  return requested.map((name) => {
    const found = environments.find(({ remote }) => remote.name.toLowerCase() === name.toLowerCase());
    if (found) return found;
    throw new UnknownNameError(
      'environment',
      name,
      environments.map(({ remote }) => remote.name),
    );
  });
}

/** Returns `size` different indexes below `count` in ascending order: the first, the last, and random others. */
export function sampleIndexes(count: number, size: number, random: () => number): number[] {
  if (count <= size) return Array.from({ length: count }, (_, index) => index);
  const chosen = new Set([0, count - 1].slice(0, size));
  while (chosen.size < size) chosen.add(Math.floor(random() * count));
  return [...chosen].sort((a, b) => a - b);
}
