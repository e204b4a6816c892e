/** A check that is known to fail. */
export interface ExpectedFailure {
  readonly reason: string;
  /** It may also pass. */
  readonly isFlaky: boolean;
}

/** Checks that are known to fail, by their ids. */
export type ExpectedFailures = ReadonlyMap<string, ExpectedFailure>;

const SOMETIMES = /^sometimes:\s*/i;

/** A file of expected failures cannot be read; the message names the line. */
export class ExpectedFailuresError extends Error {
  override readonly name = 'ExpectationsError';
}

/**
 * Reads a file of expected failures: one check id a line, and `# reason` behind it. Lines that are empty or begin with `#`
 * are left out. A reason that begins with `sometimes:` is of a check that may also pass. Throws ExpectationsError.
 */
export function parseExpectedFailures(text: string): ExpectedFailures {
  const expectations = new Map<string, ExpectedFailure>();
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    const at = line.indexOf('#');
    const id = (at < 0 ? line : line.slice(0, at)).trim();
    if (id === '') continue;
    if (!/^[^\s/]+\/\S+$/.test(id)) {
      throw new ExpectedFailuresError(
        `line ${index + 1} is '${id}'; write one check id a line, as in: session/ping # reason`,
      );
    }
    const output = at < 0 ? '' : line.slice(at + 1).trim();
    const reason = output.replace(SOMETIMES, '') || 'no reason is given';
    expectations.set(id, { reason, isFlaky: SOMETIMES.test(output) });
  }
  return expectations;
}
