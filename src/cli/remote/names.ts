import { joinWords, nearestName, noun, oneLine } from '../../core/index.ts';

const MAX_SHOWN = 20;

/** Says that a name is not there, which one may have been meant, and which there are. */
export function unknownName(kind: string, name: string, there: readonly string[]): string {
  const near = nearestName(name, there);
  const guess = near === undefined ? '' : ` Did you mean '${oneLine(near)}'?`;
  const shown = joinWords(there.map(oneLine), { max: MAX_SHOWN });
  const list = there.length === 0 ? 'There is none.' : `There ${noun(there.length, 'is', 'are')}: ${shown}.`;
  return `there is no ${kind} '${oneLine(name)}'.${guess} ${list}`;
}
