import { EXIT_CODES } from '../../conformance/index.ts';
import { CliError } from '../failure.ts';

/** The command line asks for what there is not. */
export const usageError = (message: string): CliError => new CliError(message, { exitCode: EXIT_CODES.usage });
