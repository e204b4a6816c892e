export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
export const MINUS = 0x2d;

/** Returns the index after the closing quote: the first that an even number of backslashes precedes. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((end - before) % 2 === 0) return end + 1;
  }
  return text.length;
}

export function endOfNumber(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && /[\d.eE+-]/.test(text.charAt(index))) index++;
  return index;
}

export const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;

/**
 * The text is not valid JSON, or exceeds a limit. The message never quotes the text, which may contain secrets; the message
 * of its `cause`, the error of the engine, does.
 */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly reason: 'syntax' | 'depth' | 'structures';

  constructor(reason: JsonSyntaxError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
