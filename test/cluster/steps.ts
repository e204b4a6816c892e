import { once } from 'node:events';
import { expect } from '@jest/globals';
import { request } from '../support/client.ts';
import { until, withDeadline } from '../support/until.ts';
import type { Cluster } from './cluster.ts';
import type { ClusterNode } from './nodes.ts';
import type { Player } from './players.ts';

/** Expected outcome of calls when nothing is lost. */
const ALL_RIGHT = { lost: [], wrong: [] };

/** Opens sessions, which spread over the nodes; each call reaches the node of its session. */
export async function spread({ players, nodes, of, note }: Cluster, count: number): Promise<Player[]> {
  const all = await players.enter(count);

  const first = await players.count(all);

  const shares = nodes.all.map((node) => of(node, all).length);
  const mean = count / shares.length;
  note(`spread ${shares.join(' / ')}; lost ${first.lost.length} of ${count}`);
  expect(first).toMatchObject(ALL_RIGHT);
  for (const share of shares) expect(Math.abs(share - mean) / mean).toBeLessThan(0.35);
  expect(players.refusals()).toEqual([]);
  return all;
}

/** Adds a node and reloads the proxy while calls run. */
export async function addNode(cluster: Cluster, all: readonly Player[]): Promise<Player[]> {
  const { players, nodes, proxy, note, of } = cluster;
  const { outcomes, open } = await waitAtGate(cluster, all.slice(0, 60), 'add');
  const added = await nodes.start('0003');

  await proxy.reload(nodes.all.map(({ address }) => address));
  const newcomers: Player[] = [];
  await until(async () => {
    newcomers.push(...(await players.enter(4)));
    return of(added, newcomers).length > 0;
  });
  await open();
  const during = await outcomes;
  const after = await players.count([...all, ...newcomers]);

  note(`add a node: lost ${after.lost.length} of ${all.length}, calls cut ${60 - during.right.length} of 60`);
  expect(during).toMatchObject(ALL_RIGHT);
  expect(after).toMatchObject(ALL_RIGHT);
  expect(players.refusals()).toEqual([]);
  return [...all, ...newcomers];
}

/** Stops a node gracefully: it keeps its sessions until they end, and receives no new ones. */
export async function drain(cluster: Cluster, all: readonly Player[]): Promise<Player[]> {
  const { players, node, of, note } = cluster;
  const leaving = node('0000');
  const its = of(leaving, all);
  leaving.command.child.kill('SIGTERM');
  await until(async () => (await request({ url: `http://${leaving.address}` }, 'GET', '/ready')).status === 503);

  const newcomers = await players.enter(100);
  const after = await players.count([...all, ...newcomers]);
  const refusals = players.refusals();
  await players.leave(its);
  const lastDeleteAt = performance.now();
  const { code } = await leaving.command.result;
  const exitMs = performance.now() - lastDeleteAt;

  const misplaced = of(leaving, newcomers).length;
  note(
    `drain: lost ${after.lost.length} of ${all.length}, 100 new: ${misplaced} on the leaving node, ` +
      `${refusals.length} refusals seen by clients; exit ${exitMs.toFixed(0)} ms after the last delete`,
  );
  expect(after).toMatchObject(ALL_RIGHT);
  expect(refusals).toEqual([]);
  expect(misplaced).toBe(0);
  expect(code).toBe(0);
  expect(leaving.said('torn down').length).toBe(leaving.said('set up').length);
  const left = new Set(its);
  return [...all, ...newcomers].filter((player) => !left.has(player));
}

/** Kills a node: only its sessions are lost, and their players receive an error. */
export async function kill(cluster: Cluster, all: readonly Player[]): Promise<Player[]> {
  const { players, node, of, note } = cluster;
  const victim = node('0001');
  const its = of(victim, all);
  const others = all.filter((player) => !its.includes(player));
  const { outcomes, open } = await waitAtGate(cluster, [...its.slice(0, 30), ...others.slice(0, 60)], 'kill');

  victim.command.child.kill('SIGKILL');
  await withDeadline(once(victim.command.child, 'exit'), 'the end of the killed node');
  const after = await players.count([...its.slice(30), ...others.slice(60)]);
  await open();
  const during = await outcomes;

  const lost = new Set([...during.lost, ...after.lost]);
  const strangers = [...lost].filter((player) => !its.includes(player)).length;
  const slowest = Math.max(after.slowestLossMs, during.slowestLossMs);
  note(
    `kill -9: lost ${lost.size - strangers} of its ${its.length}, and ${strangers} of ${others.length} others; ` +
      `told after ${after.slowestLossMs.toFixed(0)} ms at most (calls under way: ${slowest.toFixed(0)} ms, gate included)`,
  );
  expect([...during.wrong, ...after.wrong]).toEqual([]);
  expect(lost).toEqual(new Set(its));
  players.refusals();
  return others;
}

/** Restarts the node: it accepts new sessions and does not know the earlier ones. */
export async function restartNode(cluster: Cluster, before: Player, all: readonly Player[]): Promise<void> {
  const { players, nodes, proxy, node, of, note } = cluster;
  const { address } = node('0001');
  const again = await nodes.start('0001', address);

  const newcomers: Player[] = [];
  await until(async () => {
    newcomers.push(...(await players.enter(4)));
    return of(again, newcomers).length > 0;
  });
  const after = await players.count([...all, ...newcomers]);
  const { status } = await request(proxy, 'POST', '/ping', { sid: before.session.sid });

  note(`restart: lost ${after.lost.length} of ${all.length}; a session of before: ${status}`);
  expect(after).toMatchObject(ALL_RIGHT);
  expect(status).toBe(404);
}

/** Restarts the proxy while calls run. */
export async function restartProxy(cluster: Cluster, all: readonly Player[]): Promise<void> {
  const { players, proxy, note } = cluster;
  const { outcomes, open } = await waitAtGate(cluster, all.slice(0, 30), 'proxy');

  await proxy.restart();
  await open();
  const during = await outcomes;
  const after = await players.count(during.right);

  note(`restart of the proxy: ${during.right.length} of 30 calls resumed, lost ${during.lost.length}`);
  expect(during).toMatchObject(ALL_RIGHT);
  expect(after).toMatchObject(ALL_RIGHT);
}

/** Restarts a proxy that forgets which node has which session. */
export async function forget({ players, proxy, note }: Cluster, all: readonly Player[]): Promise<void> {
  await proxy.restart();
  const after = await players.count(all);

  // A ping may meet the right node by chance where the call met a wrong one, so not each of them counts as lost.
  note(`restart of the proxy: ${after.right.length} of ${all.length} calls found their session, as its file warns`);
  expect(after.right.length).toBeLessThan(all.length);
}

/** Starts calls that wait at their nodes until a gate opens. Resolves when all of them are waiting. */
async function waitAtGate({ players, nodes }: Cluster, those: readonly Player[], gate: string) {
  const numbers = new Set(those.map(({ n }) => n));
  const waiting = (node: ClusterNode) => node.said('waiting').filter((n) => numbers.has(n)).length;
  const count = () => nodes.all.map(waiting).reduce((sum, each) => sum + each, 0);
  const before = count();
  const outcomes = players.count(those, { gate });
  await until(() => count() === before + those.length);
  return { outcomes, open: () => nodes.open(gate) };
}
