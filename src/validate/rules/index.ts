import type { ValidationRule } from '../finding.ts';
import { answersStayHidden } from './answers-stay-hidden.ts';
import { chanceDoesNotWin } from './chance-does-not-win.ts';
import { cleanupSucceeds } from './cleanup-succeeds.ts';
import { endIsFinal } from './end-is-final.ts';
import { episodesOpen } from './episodes-open.ts';
import { errorsAreCaught } from './errors-are-caught.ts';
import { goalIsKnown } from './goal-is-known.ts';
import { hiddenValuesStayHidden } from './hidden-values-stay-hidden.ts';
import { idlenessDoesNotWin } from './idleness-does-not-win.ts';
import { indexInRange } from './index-in-range.ts';
import { invalidInputsRefused } from './invalid-inputs-refused.ts';
import { listingsAgree } from './listings-agree.ts';
import { namesForPython } from './names-for-python.ts';
import { nothingIsLeft } from './nothing-is-left.ts';
import { promptsDiffer } from './prompts-differ.ts';
import { promptsRepeat } from './prompts-repeat.ts';
import { promptsSaySomething } from './prompts-say-something.ts';
import { refusalsExplain } from './refusals-explain.ts';
import { rewardsWithinMax } from './rewards-within-max.ts';
import { runsRepeat } from './runs-repeat.ts';
import { schemasAreStrict } from './schemas-are-strict.ts';
import { solveFinishes } from './solve-finishes.ts';
import { solveReachesMax } from './solve-reaches-max.ts';
import { splitsHaveTasks } from './splits-have-tasks.ts';
import { stepTime } from './step-time.ts';
import { taskKeysHideAnswers } from './task-keys-hide-answers.ts';
import { thingsAreDescribed } from './things-are-described.ts';
import { toolNamesForModels } from './tool-names-for-models.ts';
import { toolsAnswer } from './tools-answer.ts';
import { toolsAreTried } from './tools-are-tried.ts';

/** All rules, in the order in which they are told. */
export const validationRules: readonly ValidationRule[] = [
  ...[listingsAgree, indexInRange, splitsHaveTasks],
  ...[episodesOpen, promptsSaySomething, promptsDiffer, promptsRepeat, runsRepeat],
  ...[goalIsKnown, solveReachesMax, solveFinishes, idlenessDoesNotWin, chanceDoesNotWin, rewardsWithinMax, endIsFinal],
  ...[answersStayHidden, hiddenValuesStayHidden, taskKeysHideAnswers],
  ...[toolsAnswer, refusalsExplain, invalidInputsRefused, toolsAreTried],
  ...[toolNamesForModels, namesForPython, thingsAreDescribed, schemasAreStrict],
  ...[cleanupSucceeds, nothingIsLeft, errorsAreCaught, stepTime],
];
