import { uniqueName } from '../../core/index.ts';

/** What a provider allows as a name. */
export interface NameRule {
  /** Every character of a name; global. */
  readonly refused: RegExp;
  /** Whether a name may begin with a digit, a dot or a dash. */
  readonly allowsAnyStart: boolean;
  readonly maxLength: number;
}

/**
 * A name for each name that the rule allows: the name itself if it is allowed, else one made from it that no other has.
 * The same names in the same order give the same result.
 */
export function toAllowedNames(names: readonly string[], rule: NameRule): ReadonlyMap<string, string> {
  const allowed = new Map<string, string>();
  const taken = new Set(names.filter((name) => made(name, rule) === name));
  for (const name of names) {
    if (allowed.has(name)) continue;
    const own = made(name, rule);
    if (own === name) {
      allowed.set(name, name);
      continue;
    }
    const unique = uniqueName(own, (other) => taken.has(other), { maxLength: rule.maxLength });
    taken.add(unique);
    allowed.set(name, unique);
  }
  return allowed;
}

/** The name that was given this allowed name; itself if there is none. */
export function originalName(allowedName: string, names: ReadonlyMap<string, string>): string {
  for (const [name, allowed] of names) if (allowed === allowedName) return name;
  return allowedName;
}

function made(name: string, { refused, allowsAnyStart, maxLength }: NameRule): string {
  const clean = name.replaceAll(refused, '_');
  const started = clean === '' || (!allowsAnyStart && !/^[a-zA-Z_]/.test(clean)) ? `_${clean}` : clean;
  return started.slice(0, maxLength);
}
