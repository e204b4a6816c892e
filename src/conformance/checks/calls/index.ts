import type { Check } from '../../check.ts';

export const callsChecks: readonly Check[] = [];
