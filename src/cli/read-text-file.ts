import { readFile } from 'node:fs/promises';
import { errorMessage } from '../core/index.ts';
import { CliError } from './failure.ts';

/**
 * Reads the file that an option names.
 *
 * @param fail makes the error if the file cannot be read.
 */
export async function readTextFile(
  file: string,
  option: string,
  fail = (message: string, options: ErrorOptions): Error => new CliError(message, options),
): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw fail(`${option}: the file '${file}' cannot be read: ${errorMessage(cause)}`, { cause });
  }
}
