import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { errorMessage } from '../../core/index.ts';
import { CliError } from '../failure.ts';
import { secondsOption } from '../option-parsers.ts';

/** How a server is reached. */
export interface ConnectionFlags {
  readonly apiKey?: string;
  readonly header?: Readonly<Record<string, string>>;
  /** PEM. */
  readonly ca?: string;
  /** In seconds. */
  readonly timeout?: number;
}

export function addConnectionOptions(command: Command): Command {
  return command
    .addOption(new Option('--api-key <key>', 'sent as X-API-Key').env('ORS_API_KEY'))
    .option('--header <name: value>', 'sent with every request (repeat)', readHeader)
    .option('--ca <file>', 'PEM file of the authorities to trust', readAuthorities)
    .option('--timeout <seconds>', 'longest wait for one answer (default: as long as the server works)', secondsOption);
}

// Commander repeats the argument of an InvalidArgumentError, and this one may be a key.
export function readHeader(argument: string, others: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = argument.indexOf(':');
  if (at < 0) throw new CliError("--header has no colon in it; write it as 'Name: value'");
  const name = argument.slice(0, at).trim();
  const value = argument.slice(at + 1).trim();
  try {
    new Headers([[name, value]]);
  } catch {
    throw new CliError("--header has characters that no header can have; write it as 'Name: value'");
  }
  return { ...others, [name]: value };
}

function readAuthorities(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new InvalidArgumentError(`The file cannot be read: ${errorMessage(error)}.`);
  }
}
