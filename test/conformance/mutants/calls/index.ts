import type { Mutant } from '../mutant.ts';

export const callsMutants: readonly Mutant[] = [];
