import { formatReward } from '../parts/amounts.ts';

interface Props {
  readonly side: 'from' | 'to';
  readonly edges: readonly number[];
  readonly bins: readonly [number, number] | undefined;
  readonly choose: (from: number, to: number) => void;
}

/** One end of the range, for the keyboard: the arrows move it by a bin, Home and End to the ends. */
export function BinHandle({ side, edges, bins, choose }: Props) {
  const last = edges.length - 2;
  const [from, to] = bins ? [Math.min(...bins), Math.max(...bins)] : [0, last];
  const isFrom = side === 'from';
  const place = isFrom ? from : to;
  const move = (next: number) => {
    if (isFrom) choose(Math.min(next, to), to);
    else choose(from, Math.max(next, from));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowLeft: place - 1, ArrowDown: place - 1, ArrowRight: place + 1, ArrowUp: place + 1 }[event.key];
    const end = { Home: isFrom ? 0 : from, End: isFrom ? to : last }[event.key];
    const target = next ?? end;
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    move(Math.max(0, Math.min(last, target)));
  };
  const edge = isFrom ? place : place + 1;
  return (
    <div
      class="run-handle"
      style={{ left: `${(100 * edge) / (last + 1)}%` }}
      role="slider"
      tabIndex={0}
      aria-label={isFrom ? 'Least reward' : 'Greatest reward'}
      aria-valuemin={edges[0]}
      aria-valuemax={edges.at(-1)}
      aria-valuenow={edges[edge]}
      aria-valuetext={formatReward(edges[edge])}
      onKeyDown={onKeyDown}
    />
  );
}
