import type { Mutant } from '../mutant.ts';
import { badOutputMutants } from './bad-outputs.ts';
import { episodeMutants } from './episodes.ts';
import { eventMutants } from './events.ts';
import { failureMutants } from './failures.ts';
import { imageMutants } from './images.ts';
import { inputMutants } from './inputs.ts';
import { outputMutants } from './outputs.ts';
import { requestMutants } from './requests.ts';
import { resultMutants } from './results.ts';
import { textMutants } from './texts.ts';
import { togetherMutants } from './together.ts';
import { toolMutants } from './tools.ts';

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
