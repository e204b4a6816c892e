import type { ValidationRule } from '../finding.ts';
import { answerRules } from './answers.ts';
import { callRules, stepTime } from './calls.ts';
import { cleanupRules } from './cleanup.ts';
import { conversationRules } from './conversations.ts';
import { durabilityRules } from './durability.ts';
import { episodeRules } from './episodes.ts';
import { finalMessageRules } from './final-messages.ts';
import { rewardRules } from './rewards.ts';
import { taskRules } from './tasks.ts';
import { toolSpecRules } from './tool-specs.ts';

/**
 * All rules, in the order of the report.
 *
 * @example
 * const names = validationRules.map(({ name }) => name);
 */
export const validationRules: readonly ValidationRule[] = [
  ...taskRules,
  ...episodeRules,
  ...durabilityRules,
  ...conversationRules,
  ...rewardRules,
  ...answerRules,
  ...callRules,
  ...finalMessageRules,
  ...toolSpecRules,
  ...cleanupRules,
  stepTime,
];
