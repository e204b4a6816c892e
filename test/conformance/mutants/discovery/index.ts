import type { Mutant } from '../mutant.ts';
import { healthMutants } from './health.ts';

export const discoveryMutants: readonly Mutant[] = [...healthMutants];
