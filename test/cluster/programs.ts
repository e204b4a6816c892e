import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../.cache/deploy-tools/bin/', import.meta.url));

/** The programs that scripts/deploy-tools.sh fetches. */
export type Program = 'nginx' | 'nginx-1.30' | 'haproxy' | 'kubernetes-validate';

export const program = (name: Program): string => folder + name;

/** What is missing for the tests of a subject, in words; undefined if it is there. */
export const missing = (name: Program, subject: string): string | undefined =>
  existsSync(program(name)) ? undefined : `${subject}: no ${program(name)}; run sh scripts/deploy-tools.sh`;
