/** How many bytes may wait, before whoever asks has to. */
export interface Room {
  take(bytes: number): void;
  free(bytes: number): void;
  /** Settles when less than the bound is waiting. */
  available(): Promise<void>;
}

export function createRoom(maxBytes: number): Room {
  let used = 0;
  let waiting: (() => void)[] = [];
  return {
    take(bytes) {
      used += bytes;
    },
    free(bytes) {
      used -= bytes;
      if (used >= maxBytes) return;
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
    async available() {
      while (used >= maxBytes) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}
