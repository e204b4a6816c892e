import type { Check } from '../../check.ts';

export const sessionsChecks: readonly Check[] = [];
