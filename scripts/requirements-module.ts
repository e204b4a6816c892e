import { createHash } from 'node:crypto';
import { readRequirements } from './check-requirements.ts';

/** spec/requirements.yaml as a module: the rows about the protocol, by id. Those about traces come with trace stores. */
export function requirementsModule(): { name: string; text: string } {
  const rows = readRequirements().requirements.filter(({ id }) => id.startsWith('ORS-'));
  const table = rows.map(
    ({ id, sentence, ...row }) => `  '${id}': ${JSON.stringify({ ...row, sentence: sentence.trim() })},\n`,
  );
  const revision = createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, 12);
  return {
    name: 'requirements.ts',
    text: `// generated from requirements.yaml by scripts/generate.ts; never edit

/** What the standard asks of an implementation, by id. */
export const requirements = {
${table.join('')}} as const;

/** Changes with every change of the rows. */
export const REQUIREMENTS_REVISION = '${revision}';

export type RequirementId = keyof typeof requirements;
`,
  };
}
