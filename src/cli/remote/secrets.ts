import { CliError } from '../failure.ts';

/**
 * Reads `NAME=VALUE`, or `NAME` for the value of that environment variable. No error repeats the value,
 * as one of commander would.
 *
 * @throws Failure if there is no such variable.
 */
export function readSecret(argument: string, others: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = argument.indexOf('=');
  const name = at < 0 ? argument : argument.slice(0, at);
  if (name === '') throw new CliError('--secret needs a name; write NAME=VALUE');
  const value = at < 0 ? process.env[name] : argument.slice(at + 1);
  if (value === undefined) {
    throw new CliError(`--secret ${name}: there is no environment variable ${name}; set it, or write ${name}=VALUE`);
  }
  return { ...others, [name]: value };
}
