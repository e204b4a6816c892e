const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Resolves at the first SIGINT or SIGTERM, to its name; the second one ends the process at once. */
export function stopped(): Promise<(typeof SIGNALS)[number]> {
  return new Promise((resolve) => {
    let isStopping = false;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (isStopping) process.exit(130);
        isStopping = true;
        resolve(signal);
      });
    }
  });
}
