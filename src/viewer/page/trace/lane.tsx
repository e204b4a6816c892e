import type { TranscriptRow } from './outline.ts';

const LANES = {
  ...{ message: 'MESSAGE', thought: 'ACT', call: 'ACT', results: 'OBSERVE' },
  ...{ heading: undefined, gap: undefined },
} as const;

/** Which of the three lanes a row is in, by place as well as by colour. */
export function BlockLane({ row }: { readonly row: TranscriptRow }) {
  const queue = LANES[row.kind];
  return <i class={`tr-lane ${queue ? `tr-lane-${queue.toLowerCase()}` : ''}`} title={queue} />;
}
