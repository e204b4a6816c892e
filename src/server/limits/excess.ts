/** Why a result is too large to be sent; undefined if it is not. */
export function excessOf(result: string, maxBytes: number): string | undefined {
  // A character takes one to three bytes in UTF-8, so most need not be counted.
  if (result.length * 3 <= maxBytes) return undefined;
  const bytes = Buffer.byteLength(result);
  if (bytes <= maxBytes) return undefined;
  return `its result has ${bytes} bytes, more than the limit of ${maxBytes}, and is not sent`;
}
