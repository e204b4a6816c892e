import { formatReward, formatRewardInColumn } from './amounts.ts';

interface Props {
  readonly value: number | null | undefined;
  readonly isInColumn?: boolean;
}

/** A reward; good and bad differ by sign as well as by colour. */
export function Reward({ value, isInColumn = false }: Props) {
  const sign = value === null || value === undefined ? 'none' : value > 0 ? 'plus' : value < 0 ? 'minus' : 'zero';
  return (
    <span class={`reward reward-${sign}`} title={value === null || value === undefined ? 'no reward' : String(value)}>
      {isInColumn ? formatRewardInColumn(value) : formatReward(value)}
    </span>
  );
}
