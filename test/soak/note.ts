/** Prints a figure into the output of the tests. */
export const note = (what: string): void => void process.stderr.write(`soak: ${what}\n`);

/** Bytes for people. */
export const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(2)} MiB`;

/** How much more one is than the other. */
export const growth = (before: number, after: number): string => {
  const percent = 100 * (after / before - 1);
  return `${percent < 0 ? '' : '+'}${percent.toFixed(1)} %`;
};
