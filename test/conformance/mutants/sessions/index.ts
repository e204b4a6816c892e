import type { Mutant } from '../mutant.ts';
import { createMutants, refusedCreateMutants } from './create.ts';
import { deleteMutants } from './delete.ts';
import { flowMutants, promptMutants, taskToolsMutants } from './episode.ts';
import { expiryMutants } from './expiry.ts';
import { headerMutants, idMutants } from './ids.ts';
import { pingMutants, setupMutants, stateMutants } from './lifecycle.ts';
import { secretsMutants } from './secrets.ts';
import { stopMutants } from './stop.ts';

export const sessionsMutants: readonly Mutant[] = [
  ...idMutants,
  ...headerMutants,
  ...createMutants,
  ...refusedCreateMutants,
  ...secretsMutants,
  ...setupMutants,
  ...pingMutants,
  ...stateMutants,
  ...promptMutants,
  ...taskToolsMutants,
  ...deleteMutants,
  ...expiryMutants,
  ...flowMutants,
  ...stopMutants,
];
