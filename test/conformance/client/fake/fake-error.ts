/** An error that the fake client reports to its user. */
export class FakeError extends Error {
  readonly kind: string;
  readonly status: number | undefined;
  /** Reason of a refused call. */
  readonly reason: string | undefined;

  constructor(kind: string, message: string, status?: number, reason?: string) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.reason = reason;
  }
}
