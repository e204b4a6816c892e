import type { TraceError } from './trace-error.ts';

/** What became of everything that was logged so far. */
export interface FlushReport {
  /** Blocks whose receipt has come: the store has them on disk. */
  readonly acknowledged: number;
  /** What is not stored, by the id of its block, or of the trace that was not created or changed. */
  readonly failed: readonly { readonly id: string; readonly error: TraceError }[];
}

/** Counts what succeeds and remembers what fails. */
export class DeliveryCounter {
  readonly #pending = new Set<Promise<void>>();
  readonly #failed: FlushReport['failed'][number][] = [];
  #acknowledged = 0;

  /** @param settled settles, and never rejects, when it is known what became of something. */
  add(settled: Promise<void>): void {
    this.#pending.add(settled);
  }

  succeeded(settled: Promise<void>, isBlock: boolean): void {
    this.#pending.delete(settled);
    if (isBlock) this.#acknowledged++;
  }

  failed(settled: Promise<void>, id: string, error: TraceError): void {
    this.#pending.delete(settled);
    this.#failed.push({ id, error });
  }

  /** Waits for what is expected now. */
  async waitForReport(): Promise<FlushReport> {
    await Promise.all(this.#pending);
    return { acknowledged: this.#acknowledged, failed: [...this.#failed] };
  }
}
