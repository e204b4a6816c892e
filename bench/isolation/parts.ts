import { calls } from '../measures/calls.ts';
import type { Measure } from '../measures/measure.ts';
import { sessions } from '../measures/sessions.ts';
import type { Contestant } from '../process/contestants.ts';
import { delays } from './delays.ts';
import { type Modes, modeNames } from './modes.ts';
import { starts } from './starts.ts';
import { throughput } from './throughput.ts';
import { workers } from './workers.ts';

/** A measure of one environment in several modes. */
export interface IsolationPart extends Measure {
  contestants(modes: Modes): Contestant[];
}

/** All parts, in the order in which they run. */
export const isolationParts: readonly IsolationPart[] = [
  { ...delays, contestants: (modes) => modes.contestants(modeNames) },
  { ...starts, contestants: (modes) => modes.contestants(modeNames) },
  { ...throughput, contestants: (modes) => modes.contestants(['inline', 'worker']) },
  { ...calls, contestants: (modes) => modes.contestants(['inline', 'worker']) },
  { ...workers, contestants: (modes) => modes.contestants(modeNames, 1) },
  { ...sessions, contestants: (modes) => modes.contestants(['inline', 'worker']) },
];

/** Subject of the saved sections. */
export const isolationSubject = 'isolation';

/** Pairs of modes for ratios. */
export const modePairs = [
  ['worker', 'inline'],
  ['session', 'inline'],
] as const;
