import type { Mutant } from '../mutant.ts';

export const streamsMutants: readonly Mutant[] = [];
