import { uniqueName } from '../../core/index.ts';

const MAX_LENGTH = 128;

/** Names that an environment may give its tools, one for each of these; those that it may not are changed. */
export function toAllowedToolNames(names: readonly string[]): string[] {
  const taken = new Set(names.filter((name) => allowed(name) === name));
  return names.map((name) => {
    const own = allowed(name);
    if (own === name) return name;
    const unique = uniqueName(own, (other) => taken.has(other), { maxLength: MAX_LENGTH });
    taken.add(unique);
    return unique;
  });
}

function allowed(name: string): string {
  const clean = name.replaceAll(/[^A-Za-z0-9_.-]/g, '_');
  return (/^[A-Za-z0-9_]/.test(clean) ? clean : `_${clean}`).slice(0, MAX_LENGTH);
}
