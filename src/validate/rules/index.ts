import type { ValidationRule } from '../finding.ts';
import { answersStayHidden, hiddenValuesStayHidden, taskKeysHideAnswers } from './answers.ts';
import {
  endIsFinal,
  invalidInputsRefused,
  refusalsExplain,
  runsRepeat,
  stepTime,
  toolsAnswer,
  toolsAreTried,
} from './calls.ts';
import { cleanupSucceeds, errorsAreCaught, nothingIsLeft } from './cleanup.ts';
import { episodesOpen, promptsDiffer, promptsRepeat, promptsSaySomething } from './prompts.ts';
import {
  chanceDoesNotWin,
  goalIsKnown,
  idlenessDoesNotWin,
  rewardsWithinMax,
  solveFinishes,
  solveReachesMax,
} from './rewards.ts';
import { indexInRange, listingsAgree, splitsHaveTasks } from './tasks.ts';
import { namesForPython, schemasAreStrict, thingsAreDescribed, toolNamesForModels } from './tool-specs.ts';

/** All rules, in the order of the report. */
export const validationRules: readonly ValidationRule[] = [
  listingsAgree,
  indexInRange,
  splitsHaveTasks,
  episodesOpen,
  promptsSaySomething,
  promptsDiffer,
  promptsRepeat,
  runsRepeat,
  goalIsKnown,
  solveReachesMax,
  solveFinishes,
  idlenessDoesNotWin,
  chanceDoesNotWin,
  rewardsWithinMax,
  endIsFinal,
  answersStayHidden,
  hiddenValuesStayHidden,
  taskKeysHideAnswers,
  toolsAnswer,
  refusalsExplain,
  invalidInputsRefused,
  toolsAreTried,
  toolNamesForModels,
  namesForPython,
  thingsAreDescribed,
  schemasAreStrict,
  cleanupSucceeds,
  nothingIsLeft,
  errorsAreCaught,
  stepTime,
];
