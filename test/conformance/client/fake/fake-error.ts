/** A failure that the fake client tells its user. */
export class FakeError extends Error {
  readonly kind: string;
  readonly status: number | undefined;

  constructor(kind: string, message: string, status?: number) {
    super(message);
    this.kind = kind;
    this.status = status;
  }
}
