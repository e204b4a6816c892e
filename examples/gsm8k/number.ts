/** An exact value: 1/2 is `{ top: 1n, bottom: 2n }`. Not reduced; compare with `sameNumber`. */
export type Exact = { top: bigint; bottom: bigint };

/** Sign and currency in either order; then whole digits (bare, or in groups of three), decimals, a fraction's bottom. */
const form =
  /^(?<sign>[-+]?)[$€£]?(?<minus>-?)(?<whole>\d{1,3}(?:,\d{3})+|\d{1,3}(?: \d{3})+|\d+|(?=\.\d))(?:\.(?<decimals>\d+))?(?:\/(?<bottom>\d+))? ?%?\.?$/;

/** Longest text that is read as a number, in characters. */
const longest = 100;

/**
 * Reads a number as people write it; undefined for any other text.
 *
 * Counts: `18`, `18.`, `-3`, `+3`, `−3`, `2.50`, `.5`, `1,000.50`, `1 000`, `$1,000`, `-$5`, `$-5`, `1/2` (exactly a
 * half), `72%` and `72 %` (72: the sign is dropped, as the gold answers of GSM8K write percentages without it).
 * Does not: words or units (`18 apples`), sums (`9*2`), scientific notation (`1e3`), decimal commas (`2,5`),
 * digits in uneven groups (`10,00`), a division by zero (`1/0`).
 */
export function readNumber(text: string): Exact | undefined {
  if (text.length > longest) return undefined;
  const parts = form.exec(
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

/** Whether two texts are numbers of exactly the same value: `$1,000.00` and `1000` are, `1/3` and `0.3333` are not. */
export function sameNumber(one: string, other: string): boolean {
  const [a, b] = [readNumber(one), readNumber(other)];
  return a !== undefined && b !== undefined && a.top * b.bottom === b.top * a.bottom;
}
