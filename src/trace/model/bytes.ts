import { utf8Length, utf8LengthAbove } from '../../core/index.ts';
/**
 * Bytes of a limited field: of a string those of its text, without quotes and escapes; of any other value those of its
 * JSON without white space.
 */
export const fieldBytes = (value: unknown): number => utf8Length(fieldText(value));

const fieldText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Returns the bytes of a limited field if they exceed the limit. */
export const bytesOver = (limit: number, value: unknown): number | undefined =>
  utf8LengthAbove(limit, fieldText(value));

const UNITS = [
  { bytes: 1024 * 1024, name: 'MB' },
  { bytes: 1024, name: 'KB' },
] as const;

/** A size as the standard writes it: `2MB`, `64KB`, or `100 bytes` where neither is exact. */
export function sizeText(bytes: number): string {
  const unit = UNITS.find((candidate) => bytes % candidate.bytes === 0);
  return unit ? `${bytes / unit.bytes}${unit.name}` : `${bytes} bytes`;
}
