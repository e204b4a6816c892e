const FIRST_MS = 100;
const LONGEST_MS = 10_000;

/** The pause after so many failures in a row, in ms; up to half of it is left to chance. */
export const backoffMs = (failures: number): number =>
  Math.min(LONGEST_MS, FIRST_MS * 2 ** failures) * (1 - Math.random() / 2);

/** The longest that a timer of the platform can wait, in ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.min(ms, LONGEST_TIMER_MS));
  });
