import { EXIT_CODES } from '../../conformance/index.ts';
import { Failure } from '../failure.ts';

/** The command line asks for what there is not. */
export const usage = (message: string): Failure => new Failure(message, { exitCode: EXIT_CODES.usage });
