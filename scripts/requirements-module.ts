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

/** Requirements of the standard, by id. */
export const requirements = {
${table.join('')}} as const;

/** Hash of the rows. */
export const REQUIREMENTS_REVISION = '${revision}';

export type RequirementId = keyof typeof requirements;
`,
  };
}
