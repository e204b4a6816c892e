/** Fault of the viewer's page, and the test that must detect it. */
export interface Break {
  /** Number of the acceptance point that it violates. */
  readonly point: number;
  /** Description of the fault, as a sentence without a full stop. */
  readonly does: string;
  /** Path below src. */
  readonly source: string;
  /** Occurs exactly once in the source. */
  readonly find: string;
  readonly replace: string;
  readonly test: {
    /** Path below test/interop/viewer, without `.test.ts`. */
    readonly file: string;
    /** Name of the test, or a unique part of it. */
    readonly name: string;
    /** Part of the failure message or of the failing line; any other failure does not count. */
    readonly says: string;
  };
}
