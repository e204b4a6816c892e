/** An error that the fake client reports to its user. */
export class FakeError extends Error {
  readonly kind: string;
  readonly status: number | undefined;

  constructor(kind: string, message: string, status?: number) {
    super(message);
    this.kind = kind;
    this.status = status;
  }
}
