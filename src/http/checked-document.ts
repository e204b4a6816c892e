/** Which parts of an API are held against its document, besides parameters. */
export interface CheckedParts {
  /** Checks JSON answers too. */
  readonly responses: boolean;
  /** Whether handlers check the bodies of requests themselves. */
  readonly withoutBodies: boolean;
}

type Document = Readonly<Record<string, unknown>>;

/** A copy with only what is checked: the validator compiles every schema that it finds, and everybody waits meanwhile. */
export function checkedDocument(document: Document, { responses, withoutBodies }: CheckedParts): Document {
  const copy = structuredClone(document) as Parts;
  for (const item of Object.values(copy.paths ?? {})) {
    for (const operation of Object.values(item)) {
      if (!responses) delete operation.responses;
      if (withoutBodies) delete operation.requestBody;
    }
  }
  const used = referencesFrom(copy);
  for (const [kind, components] of Object.entries(copy.components ?? {})) {
    for (const name of Object.keys(components)) if (!used.has(`${kind}/${name}`)) delete components[name];
  }
  return copy;
}

interface Parts extends Document {
  readonly paths?: Record<string, Record<string, { responses?: unknown; requestBody?: unknown }>>;
  readonly components?: Record<string, Record<string, unknown>>;
}

/** The components that the paths refer to, and those that these refer to. */
function referencesFrom({ paths, components = {} }: Parts): ReadonlySet<string> {
  const found = new Set<string>();
  const parts: unknown[] = [paths];
  for (const part of parts) {
    for (const [, kind = '', name = ''] of JSON.stringify(part ?? null).matchAll(REFERENCE)) {
      if (found.has(`${kind}/${name}`)) continue;
      found.add(`${kind}/${name}`);
      parts.push(components[kind]?.[name]);
    }
  }
  return found;
}

const REFERENCE = /"\$ref":"#\/components\/(\w+)\/([\w.-]+)/g;
