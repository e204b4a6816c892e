/** Checks that are known to fail, each with its reason. */
export type Expectations = ReadonlyMap<string, string>;

/** A file of expected failures cannot be read; the message names the line. */
export class ExpectationsError extends Error {
  override readonly name = 'ExpectationsError';
}

/**
 * Reads a file of expected failures: one check id a line, and `# reason` behind it. Lines that are empty or begin with `#`
 * are left out. Throws ExpectationsError.
 */
export function readExpectations(text: string): Expectations {
  const expectations = new Map<string, string>();
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    const at = line.indexOf('#');
    const id = (at < 0 ? line : line.slice(0, at)).trim();
    if (id === '') continue;
    if (!/^[^\s/]+\/\S+$/.test(id)) {
      throw new ExpectationsError(
        `line ${index + 1} is '${id}'; write one check id a line, as in: session/ping # reason`,
      );
    }
    expectations.set(id, (at < 0 ? '' : line.slice(at + 1).trim()) || 'no reason is given');
  }
  return expectations;
}
