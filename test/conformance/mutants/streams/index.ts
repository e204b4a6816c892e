import type { Mutant } from '../mutant.ts';
import { chunkMutants } from './chunks.ts';
import { formMutants } from './form.ts';
import { hostileMutants } from './hostile.ts';
import { errorEventMutants, livenessMutants } from './liveness.ts';
import { lingerMutants, resumeIdMutants, resumeMutants, resumeRunningMutants } from './resume.ts';

export const streamsMutants: readonly Mutant[] = [
  ...formMutants,
  ...livenessMutants,
  ...errorEventMutants,
  ...chunkMutants,
  ...resumeMutants,
  ...resumeRunningMutants,
  ...resumeIdMutants,
  ...lingerMutants,
  ...hostileMutants,
];
