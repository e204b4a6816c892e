/** What one round of a part is told. */
export interface Round {
  /** How many blocks a part writes, where that can be chosen. */
  readonly blocks: number;
  /** Called at the start of each step of a part that takes minutes. */
  progress(step: string): void;
}
