/** An input of a tool, and how it was made: "the minimal input", "'x' left out". */
export interface Example {
  readonly value: Record<string, unknown>;
  readonly what: string;
  /** Of an invalid one: a parameter is left out that the schema requires, and that has no default. */
  readonly lacks?: true;
}

export interface ToolInputs {
  /** Matches the schema, simplest first; at least one. */
  readonly valid: readonly Example[];
  /** Does not match it. */
  readonly invalid: readonly Example[];
}

/** Makes inputs out of the schemas of strangers. */
export interface Inputs extends AsyncDisposable {
  /**
   * Inputs for an `input_schema`; null is a tool without parameters. `random` further valid ones come from a seeded
   * generator. Rejects with Untestable where the schema is none, or takes too long.
   */
  of(inputSchema: unknown, options?: { readonly random?: number }): Promise<ToolInputs>;
}
