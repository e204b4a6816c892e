import type { Mutant } from '../mutant.ts';

export const sessionsMutants: readonly Mutant[] = [];
