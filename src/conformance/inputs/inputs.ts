/** An input of a tool, and how it was made: "the minimal input", "'x' left out". */
export interface GeneratedInput {
  readonly value: Record<string, unknown>;
  readonly what: string;
  /** Of an invalid one: a parameter is left out that the schema requires, and that has no default. */
  readonly isMissingRequired?: true;
}

export interface ToolInputs {
  /** Matches the schema, simplest first; at least one. */
  readonly valid: readonly GeneratedInput[];
  /** Does not match it. */
  readonly invalid: readonly GeneratedInput[];
}

/** Makes inputs out of the schemas of strangers. */
export interface InputGenerator extends AsyncDisposable {
  /**
   * Inputs for an `input_schema`; null is a tool without parameters. `random` further valid ones come from a seeded
   * generator. Rejects with Untestable where the schema is none, or takes too long.
   */
  generate(inputSchema: unknown, options?: { readonly random?: number }): Promise<ToolInputs>;
}
