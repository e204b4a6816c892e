import { utf8LengthAbove } from '../../core/index.ts';
/** Why a result is too large to be sent; undefined if it is not. */
export function describeExcessSize(result: string, maxBytes: number): string | undefined {
  const bytes = utf8LengthAbove(maxBytes, result);
  if (bytes === undefined) return undefined;
  return `its result has ${bytes} bytes, more than the limit of ${maxBytes}, and is not sent`;
}
