import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Collects the garbage of the load now, so that it does not stop while a clock runs. */
export function collectGarbage(): void {
  collect();
}
