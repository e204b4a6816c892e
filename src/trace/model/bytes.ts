const encoder = new TextEncoder();

/** Bytes of a text in UTF-8; half of a surrogate pair counts three. */
export const utf8Bytes = (text: string): number => encoder.encode(text).length;

/**
 * Bytes of a limited field: of a string those of its text, without quotes and escapes; of any other value those of its
 * JSON without white space.
 */
export const fieldBytes = (value: unknown): number => utf8Bytes(fieldText(value));

const fieldText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A character of a JavaScript string has three bytes at most, so that those of most fields need not be counted. */
const MAX_CHARACTER_BYTES = 3;

/** The bytes of a limited field where they are more than the limit, else undefined. */
export function bytesOver(limit: number, value: unknown): number | undefined {
  const text = fieldText(value);
  if (text.length * MAX_CHARACTER_BYTES <= limit) return undefined;
  const bytes = utf8Bytes(text);
  return bytes > limit ? bytes : undefined;
}

const UNITS = [
  { bytes: 1024 * 1024, name: 'MB' },
  { bytes: 1024, name: 'KB' },
] as const;

/** A size as the standard writes it: `2MB`, `64KB`, or `100 bytes` where neither is exact. */
export function sizeText(bytes: number): string {
  const unit = UNITS.find((candidate) => bytes % candidate.bytes === 0);
  return unit ? `${bytes / unit.bytes}${unit.name}` : `${bytes} bytes`;
}
