export interface FakeCall {
  readonly name: string;
  /** Text stands as it is, whether it is JSON or not. */
  readonly input?: object | string;
  readonly id?: string;
}

/** What a model says in one turn. */
export interface FakeAnswer {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly FakeCall[];
  /** In the provider's words. Default: the one that fits. */
  readonly finish?: string;
  /** Null: it is not told. Default: 10 read, 5 written. */
  readonly usage?: { readonly input: number; readonly output: number } | null;
  /** `tcp` breaks the connection half-way; `clean` ends the stream there as if it were whole. */
  readonly cut?: 'tcp' | 'clean';
}

/** How a provider writes an answer. */
export interface Wire {
  /** The lines of an event stream, each an event. */
  readonly events: (answer: FakeAnswer) => readonly string[];
  readonly whole: (answer: FakeAnswer) => unknown;
}

/** JSON text in pieces, as it comes in a stream. */
export function piecesOf(input: FakeCall['input'] = {}): string[] {
  const text = textOf(input);
  return text.length < 6 ? [text] : [text.slice(0, 3), text.slice(3, 5), text.slice(5)];
}

export const textOf = (input: FakeCall['input'] = {}): string =>
  typeof input === 'string' ? input : JSON.stringify(input);

/** A usage in one provider's words. */
export const usageOf = ({ usage = { input: 10, output: 5 } }: FakeAnswer) => usage;
