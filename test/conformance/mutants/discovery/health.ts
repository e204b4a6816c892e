import type { Mutant } from '../mutant.ts';
import { changedJson } from '../wire.ts';

export const healthMutants: readonly Mutant[] = [
  {
    name: 'health says OK in capitals',
    caughtBy: ['discovery/health'],
    wire: () => ({ answer: changedJson('health', () => ({ status: 'OK' })) }),
  },
];
