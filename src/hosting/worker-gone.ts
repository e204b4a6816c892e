import { OrsError } from '../protocol/index.ts';

/** The worker that was to answer is gone. No error of an author's code: why it went is told once, by its host. */
export class WorkerLostError extends OrsError {
  /** A part of a sentence: `its worker ended`. */
  readonly why: string;

  constructor(why: string) {
    super('unavailable', `the environment gave no answer: ${why}`);
    this.why = why;
  }
}
