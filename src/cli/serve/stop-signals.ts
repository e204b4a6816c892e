const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Resolves at the first SIGINT or SIGTERM, to its name; the second one ends the process at once. Neither is heard while
 * code that runs in this thread lets nothing else run.
 */
export function stopped(beforeExit: () => void = () => {}): Promise<(typeof SIGNALS)[number]> {
  return new Promise((resolve) => {
    let isStopping = false;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (isStopping) {
          beforeExit();
          process.exit(130);
        }
        isStopping = true;
        resolve(signal);
      });
    }
  });
}
