import type { Mutant } from '../mutant.ts';
import { environmentMutants, routeMutants } from './environments.ts';
import { errorBodyMutants, errorMutants, malformedMutants } from './errors.ts';
import { healthMutants } from './health.ts';
import { sessionlessMutants } from './sessionless.ts';
import { taskMutants, taskRangeMutants } from './task.ts';
import { splitMutants, taskListMutants } from './tasks.ts';
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
