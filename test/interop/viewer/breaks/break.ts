/** A fault of the viewer's page, and the test that must notice it. */
export interface Break {
  /** The point of the acceptance that it is against. */
  readonly point: number;
  /** What the page does wrong, as a sentence about it without its full stop. */
  readonly does: string;
  /** Below src. */
  readonly source: string;
  /** Stands exactly once in the source. */
  readonly find: string;
  readonly replace: string;
  readonly test: {
    /** Below test/interop/viewer, without `.test.ts`. */
    readonly file: string;
    /** The test's own name, or enough of it to name no other. */
    readonly name: string;
    /** What the failure must tell, or stands in the line that fails: any other failure is not this one noticed. */
    readonly says: string;
  };
}
