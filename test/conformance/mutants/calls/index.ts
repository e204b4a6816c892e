import type { Mutant } from '../mutant.ts';
import { badOutputMutants, imageMutants, textMutants } from './content.ts';
import { toolMutants } from './discovery-types.ts';
import { episodeMutants, togetherMutants } from './episodes.ts';
import { failureMutants } from './failures.ts';
import { inputMutants, requestMutants } from './inputs.ts';
import { eventMutants, outputMutants, resultMutants } from './results.ts';

export const callsMutants: readonly Mutant[] = [
  ...eventMutants,
  ...resultMutants,
  ...outputMutants,
  ...requestMutants,
  ...inputMutants,
  ...failureMutants,
  ...episodeMutants,
  ...togetherMutants,
  ...imageMutants,
  ...textMutants,
  ...badOutputMutants,
  ...toolMutants,
];
