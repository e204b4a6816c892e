import type { Mutant } from '../mutant.ts';
import { errorBodyMutants, errorMutants, malformedMutants } from './errors.ts';
import { environmentMutants, healthMutants, routeMutants } from './server.ts';
import { sessionlessMutants } from './sessionless.ts';
import { splitMutants, taskListMutants, taskMutants, taskRangeMutants } from './tasks.ts';
import { toolMutants } from './tools.ts';

export const discoveryMutants: readonly Mutant[] = [
  ...healthMutants,
  ...environmentMutants,
  ...routeMutants,
  ...toolMutants,
  ...splitMutants,
  ...taskListMutants,
  ...taskMutants,
  ...taskRangeMutants,
  ...sessionlessMutants,
  ...errorMutants,
  ...errorBodyMutants,
  ...malformedMutants,
];
