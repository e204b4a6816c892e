import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../.cache/deploy-tools/bin/', import.meta.url));

/** The programs that scripts/deploy-tools.sh fetches. */
export type Program = 'nginx' | 'nginx-1.30' | 'haproxy' | 'kubernetes-validate';

export const program = (name: Program): string => folder + name;

/** Describes what the tests of a subject lack; undefined if nothing is missing. */
export const missing = (name: Program, subject: string): string | undefined =>
  existsSync(program(name)) ? undefined : `${subject}: no ${program(name)}; run sh scripts/deploy-tools.sh`;
