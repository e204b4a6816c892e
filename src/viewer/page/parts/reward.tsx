import { reward } from './amounts.ts';

/** A reward; good and bad differ by sign as well as by colour. */
export function Reward({ value }: { readonly value: number | null | undefined }) {
  const sign = value === null || value === undefined ? 'none' : value > 0 ? 'plus' : value < 0 ? 'minus' : 'zero';
  return (
    <span class={`reward reward-${sign}`} title={value === null || value === undefined ? 'no reward' : String(value)}>
      {reward(value)}
    </span>
  );
}
