import type { Mutant } from '../mutant.ts';
import { callOrderMutants } from './calls.ts';
import { messagesMutants } from './messages.ts';
import { openingMutants } from './opening.ts';
import { scoreGroupMutants } from './score-group.ts';
import { terminalMutants } from './terminal.ts';

/** Mutants that the checks of extensions detect. */
export const extensionMutants: readonly Mutant[] = [
  ...terminalMutants,
  ...messagesMutants,
  ...scoreGroupMutants,
  ...callOrderMutants,
  ...openingMutants,
];
