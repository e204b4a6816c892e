import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import type { RewardRow } from '../../bridges/mcp/index.ts';
import { errorMessage } from '../../core/index.ts';
import { CliError } from '../failure.ts';

/** Rewards on their way into a file that no model sees. */
export interface RewardFile extends Disposable {
  /** Writes a line, which is on disk when this returns. Does not throw. */
  add(row: RewardRow): void;
  /** What kept a line from being written; undefined if nothing did. */
  readonly failure: CliError | undefined;
}

/** Opens a file of JSON Lines, at the end of what is in it. @throws Failure if it cannot be written. */
export function openRewardFile(path: string): RewardFile {
  const file = attempt(path, () => openSync(path, 'a'));
  if (file instanceof CliError) throw file;
  let failure: CliError | undefined;
  return {
    add(row) {
      const written = attempt(path, () => {
        writeWhole(file, Buffer.from(`${JSON.stringify(row)}\n`));
        fdatasyncSync(file);
      });
      if (!(written instanceof CliError)) return;
      failure ??= written;
      process.stderr.write(`ors: ${written.message}: ${JSON.stringify(row)}\n`);
    },
    get failure() {
      return failure;
    },
    [Symbol.dispose]: () => closeSync(file),
  };
}

function attempt<T>(path: string, work: () => T): T | CliError {
  try {
    return work();
  } catch (cause) {
    return new CliError(`rewards cannot be written to '${path}' (${errorMessage(cause)})`, { cause });
  }
}

function writeWhole(file: number, bytes: Buffer): void {
  // A disk that is nearly full takes a part.
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}
