import type { Attack } from '../attack.ts';
import { farms } from './farms.ts';
import { files } from './files.ts';
import { floors } from './floors.ts';
import { judges } from './judges.ts';
import { outputLeaks } from './leaks-in-outputs.ts';
import { taskLeaks } from './leaks-in-tasks.ts';
import { textLeaks } from './leaks-in-texts.ts';
import { timeLeaks } from './leaks-in-time.ts';
import { repeats } from './repeats.ts';
import { states } from './states.ts';
import { texts } from './texts.ts';
import { types } from './types.ts';

/**
 * All attacks, in the order in which they run: those that change what later sessions see come last.
 *
 * @example
 * const ids = attacks.map(({ id }) => id);
 */
export const attacks: readonly Attack[] = [
  ...floors,
  ...taskLeaks,
  ...textLeaks,
  ...outputLeaks,
  ...timeLeaks,
  ...texts,
  ...types,
  ...judges,
  ...repeats,
  ...farms,
  ...files,
  ...states,
];
