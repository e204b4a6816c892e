import { createHash } from 'node:crypto';
import { readRequirements } from './check-requirements.ts';

/** Generates a module from spec/requirements.yaml: the rows about the protocol, by id. */
export function requirementsModule(): { name: string; text: string } {
  const rows = readRequirements().requirements.filter(({ id }) => id.startsWith('ORS-'));
  const table = rows.map(
    ({ id, sentence, ...row }) => `  '${id}': ${JSON.stringify({ ...row, sentence: sentence.trim() })},\n`,
  );
  const revision = createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, 12);
  return {
    name: 'requirements.ts',
    text: `// generated from requirements.yaml by scripts/generate.ts; never edit

/** Requirement of the standard. */
export interface Requirement {
  readonly level: 'must' | 'should' | 'may';
  /** Heading of the document that contains the requirement. */
  readonly source: { readonly document: string; readonly heading: string };
  readonly sentence: string;
  /** The documents can be read in two ways. */
  readonly contested?: true;
  /** No document says it; it follows from the others. */
  readonly unstated?: true;
  /** From openreward, not in the documents; only who has it can break it. */
  readonly extension?: true;
  /** Reason why the conformance suite has no check for it. */
  readonly unchecked?: string;
}

export type RequirementId =
${rows.map(({ id }) => `  | '${id}'`).join('\n')};

/** Requirements of the standard, by id. */
export const requirements: Readonly<Record<RequirementId, Requirement>> = {
${table.join('')}};

/** Hash of the rows. */
export const REQUIREMENTS_REVISION = '${revision}';
`,
  };
}
