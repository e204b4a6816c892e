import { isRecord } from '../../core/index.ts';
import { isSchema, type Schema, type SchemaObject } from './json.ts';

/** A schema with everything inside of it: where each object stands, and what references lead to. */
export interface Document {
  /** The JSON pointer of an object inside of it. */
  pointerOf(part: SchemaObject): string | undefined;
  /** What a reference leads to; undefined where that is elsewhere, nowhere or no schema. */
  follow(reference: unknown): Schema | undefined;
}

export function documentOf(root: Schema): Document {
  const pointers = new Map<object, string>([[Object(root), '']]);
  const named = new Map<string, Schema>();
  // A map goes on to what was added to it meanwhile. No recursion: a stranger's schema may be deep.
  for (const [part, pointer] of pointers) {
    if (isRecord(part)) for (const name of namesOf(part)) if (!named.has(name)) named.set(name, part);
    for (const [key, value] of Object.entries(part)) {
      if (typeof value === 'object' && value !== null) pointers.set(value, `${pointer}/${escaped(key)}`);
    }
  }

  const follow = (reference: unknown): Schema | undefined => {
    if (typeof reference !== 'string') return undefined;
    const [base = '', fragment = ''] = reference.split('#', 2);
    const found = named.get(reference);
    if (found !== undefined) return found;
    const start = base === '' ? root : named.get(base);
    return start === undefined ? undefined : at(start, fragment);
  };
  return { pointerOf: (part) => pointers.get(part), follow };
}

function namesOf({ $id, $anchor, $dynamicAnchor }: SchemaObject): string[] {
  const anchors = [$anchor, $dynamicAnchor].filter((name) => typeof name === 'string').map((name) => `#${name}`);
  return typeof $id === 'string' ? [$id, ...anchors] : anchors;
}

function at(root: Schema, fragment: string): Schema | undefined {
  let value: unknown = root;
  for (const key of decoded(fragment).split('/').slice(1)) {
    const container: Record<string, unknown> = Object(value);
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
    value = Object.hasOwn(container, name) ? container[name] : undefined;
  }
  return isSchema(value) ? value : undefined;
}

/** Percent signs in a fragment may stand for themselves. */
function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

const escaped = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
