export interface FakeCall {
  readonly name: string;
  /** A text is sent as it is, even if it is not JSON. */
  readonly input?: object | string;
  readonly id?: string;
}

/** Response of a model in one turn. */
export interface FakeAnswer {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly FakeCall[];
  /** Finish reason in the provider's format. @default the one that matches the parts */
  readonly finish?: string;
  /** Null: not reported. @default 10 input and 5 output tokens */
  readonly usage?: { readonly input: number; readonly output: number } | null;
  /** `tcp` breaks the connection in the middle; `clean` ends the stream there as if it were complete. */
  readonly cut?: 'tcp' | 'clean';
}

/** Encodes responses of one provider. */
export interface Wire {
  /** Events of a stream, one per item. */
  readonly events: (answer: FakeAnswer) => readonly string[];
  readonly whole: (answer: FakeAnswer) => unknown;
}

/** Splits a JSON text into the pieces of a stream. */
export function piecesOf(input: FakeCall['input'] = {}): string[] {
  const text = textOf(input);
  return text.length < 6 ? [text] : [text.slice(0, 3), text.slice(3, 5), text.slice(5)];
}

export const textOf = (input: FakeCall['input'] = {}): string =>
  typeof input === 'string' ? input : JSON.stringify(input);

/** Returns the token usage in a provider's format. */
export const usageOf = ({ usage = { input: 10, output: 5 } }: FakeAnswer) => usage;
