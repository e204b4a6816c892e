import type { Mutant } from '../mutant.ts';
import { createMutants } from './create.ts';
import { deleteMutants } from './delete.ts';
import { expiryMutants } from './expiry.ts';
import { flowMutants } from './flow.ts';
import { headerMutants } from './header.ts';
import { idMutants } from './ids.ts';
import { pingMutants } from './ping.ts';
import { promptMutants } from './prompt.ts';
import { refusedCreateMutants } from './refused-create.ts';
import { secretsMutants } from './secrets.ts';
import { setupMutants } from './setup.ts';
import { stateMutants } from './state.ts';
import { stopMutants } from './stop.ts';
import { taskToolsMutants } from './task-tools.ts';

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
