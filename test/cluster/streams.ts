import { expect } from '@jest/globals';
import type { Cluster } from './cluster.ts';
import { readCall } from './first-byte.ts';
import { inTurns, type Player } from './players.ts';

/** The first event of a call comes through the proxy at once. */
export async function firstBytes(cluster: Cluster, all: readonly Player[]): Promise<void> {
  const hundred = all.slice(0, 100);
  const calls = await inTurns(hundred, (one) => readCall(cluster, one, 'count', {}), 1);
  for (const one of hundred) one.expected++;

  const times = calls.map(({ firstByteMs }) => firstByteMs).sort((a, b) => a - b);
  const at = (share: number) => `${times[Math.floor((times.length - 1) * share)]?.toFixed(1)} ms`;
  cluster.note(`first byte of 100 calls, one after the other: half within ${at(0.5)}, 99 within ${at(0.99)}`);
}

/** A call in which nothing happens has comments, which come through the proxy while it waits. */
export async function silence(cluster: Cluster, player: Player): Promise<void> {
  const open = () => void cluster.nodes.open('silence');

  const { firstByteMs, firstCommentMs = Number.NaN } = await readCall(
    cluster,
    player,
    'wait',
    { gate: 'silence' },
    open,
  );
  player.expected++;

  cluster.note(`first comment of a silent call after ${(firstCommentMs / 1_000).toFixed(1)} s`);
  // The tool waits for the comment: nothing was kept back until the end.
  expect(firstCommentMs).toBeGreaterThan(firstByteMs);
}
