import type { Row } from './outline.ts';

const LANES = {
  ...{ message: 'MESSAGE', thought: 'ACT', call: 'ACT', results: 'OBSERVE' },
  ...{ heading: undefined, gap: undefined },
} as const;

/** Which of the three lanes a row is in, by place as well as by colour. */
export function Lane({ row }: { readonly row: Row }) {
  const lane = LANES[row.kind];
  return <i class={`tr-lane ${lane ? `tr-lane-${lane.toLowerCase()}` : ''}`} title={lane} />;
}
