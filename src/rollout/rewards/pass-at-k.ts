/**
 * The unbiased estimate of the chance that at least one of k samples passes, after `passed` of `samples` did:
 * 1 - C(samples - passed, k) / C(samples, k). As a product, so that nothing overflows.
 *
 * @throws RangeError unless 1 <= k <= samples and 0 <= passed <= samples.
 */
export function passAtK(samples: number, passed: number, k: number): number {
  if (!(k >= 1 && k <= samples)) throw new RangeError(`pass@${k} of ${samples} samples; k goes from 1 to their number`);
  if (!(passed >= 0 && passed <= samples)) throw new RangeError(`${passed} of ${samples} samples cannot have passed`);
  let allFail = 1;
  for (let drawn = 0; drawn < k; drawn++) allFail *= Math.max(0, samples - passed - drawn) / (samples - drawn);
  return 1 - allFail;
}
