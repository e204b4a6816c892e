import { calls } from './calls.ts';
import { episodes } from './episodes.ts';
import { largeResult } from './large-result.ts';
import type { Measure } from './measure.ts';
import { sessions } from './sessions.ts';
import { streams } from './streams.ts';

/** In the order in which they run. */
export const measures: readonly Measure[] = [calls, episodes, sessions, streams, largeResult];
