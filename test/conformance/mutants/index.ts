import { callsMutants } from './calls/index.ts';
import { discoveryMutants } from './discovery/index.ts';
import { extensionMutants } from './extensions/index.ts';
import type { Mutant } from './mutant.ts';
import { sessionsMutants } from './sessions/index.ts';
import { streamsMutants } from './streams/index.ts';

export const mutants: readonly Mutant[] = [
  ...discoveryMutants,
  ...sessionsMutants,
  ...callsMutants,
  ...streamsMutants,
  ...extensionMutants,
];
