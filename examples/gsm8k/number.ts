/** An exact value: 1/2 is `{ top: 1n, bottom: 2n }`. Not in lowest terms; compare with `sameNumber`. */
export type Fraction = { top: bigint; bottom: bigint };

/** Sign and currency in either order; then digits (plain or in groups of three), decimals, a denominator. */
const pattern =
  /^(?<sign>[-+]?)[$€£]?(?<minus>-?)(?<whole>\d{1,3}(?:,\d{3})+|\d{1,3}(?: \d{3})+|\d+|(?=\.\d))(?:\.(?<decimals>\d+))?(?:\/(?<bottom>\d+))? ?%?\.?$/;

const MAX_LENGTH = 100;

/**
 * Parses a number in the usual notations. Returns undefined for any other text.
 *
 * Valid: `18`, `18.`, `-3`, `+3`, `−3`, `2.50`, `.5`, `1,000.50`, `1 000`, `$1,000`, `-$5`, `$-5`, `1/2` (exactly a
 * half), `72%` and `72 %` (72: the sign is ignored, because the answers in GSM8K omit it).
 * Invalid: words or units (`18 apples`), sums (`9*2`), scientific notation (`1e3`), decimal commas (`2,5`),
 * digits in uneven groups (`10,00`), a division by zero (`1/0`).
 */
export function parseNumber(text: string): Fraction | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const parts = pattern.exec(
    text
      .trim()
      .replace('−', '-')
      .replaceAll(/[\u00a0\u202f]/g, ' '),
  )?.groups;
  if (!parts || (parts.sign && parts.minus)) return undefined;

  const decimals = parts.decimals ?? '';
  const digits = BigInt((parts.whole ?? '').replaceAll(/[, ]/g, '') + decimals);
  const bottom = BigInt(parts.bottom ?? 1) * 10n ** BigInt(decimals.length);
  if (bottom === 0n) return undefined;
  return { top: parts.sign === '-' || parts.minus ? -digits : digits, bottom };
}

/** Compares two texts as exact numbers: `$1,000.00` and `1000` are equal, `1/3` and `0.3333` are not. */
export function sameNumber(one: string, other: string): boolean {
  const [a, b] = [parseNumber(one), parseNumber(other)];
  return a !== undefined && b !== undefined && a.top * b.bottom === b.top * a.bottom;
}
