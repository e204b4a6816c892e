import type { ValidationRule } from '../finding.ts';
import { answerRules } from './answers.ts';
import { callRules, stepTime } from './calls.ts';
import { cleanupRules } from './cleanup.ts';
import { episodeRules } from './episodes.ts';
import { rewardRules } from './rewards.ts';
import { taskRules } from './tasks.ts';
import { toolSpecRules } from './tool-specs.ts';

/** All rules, in the order of the report. */
export const validationRules: readonly ValidationRule[] = [
  ...taskRules,
  ...episodeRules,
  ...rewardRules,
  ...answerRules,
  ...callRules,
  ...toolSpecRules,
  ...cleanupRules,
  stepTime,
];
