import type { Results } from '../results.ts';
import type { Player } from './players.ts';

/** What the measures of clients work with, and where they put what they found. */
export interface Bench {
  players: readonly Player[];
  /** Short rounds and smaller numbers: the shape of the result in a minute. */
  isQuick: boolean;
  results: Results;
  /** What is left, in seconds, of the time that the whole run may take; on a busy machine it ends with fewer rounds. */
  secondsLeft(): number;
  /** Called at the start of each step. */
  progress(step: string): void;
}
