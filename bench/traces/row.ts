/** One figure, and what it is held against. */
export interface Row {
  readonly id: string;
  readonly what: string;
  readonly value: number;
  /** Measured in the same run; the ratio is to this. */
  readonly beside: number;
  readonly target: string;
}
