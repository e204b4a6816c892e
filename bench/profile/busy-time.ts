import type { Profiler } from 'node:inspector';
import { functionPlace, ownerOf } from './owner.ts';

export interface Share {
  name: string;
  /** Part of the busy time, 0 to 1. */
  share: number;
}

export interface BusyTime {
  owners: Share[];
  functions: Share[];
  idleShare: number;
}

type Frame = Profiler.ProfileNode['callFrame'];

/**
 * Sums the self time of a profile by owner and by function. A native function has no place of its own, so its time
 * belongs to the owner of the nearest caller that has one.
 */
export function busyTime({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): BusyTime {
  const micros = new Map<number, number>();
  for (const [index, id] of samples.entries()) micros.set(id, (micros.get(id) ?? 0) + (timeDeltas[index] ?? 0));

  const owners = new Map<string, number>();
  const functions = new Map<string, number>();
  const ownerById = inheritedOwners(nodes);
  let idle = 0;
  let busy = 0;
  for (const { id, callFrame } of nodes) {
    const time = micros.get(id) ?? 0;
    if (callFrame.functionName === '(idle)') {
      idle += time;
      continue;
    }
    busy += time;
    const owner = ownerById.get(id) ?? 'unknown';
    add(owners, owner, time);
    add(functions, functionName(callFrame, owner), time);
  }
  return { owners: sharesOf(owners, busy), functions: sharesOf(functions, busy), idleShare: idle / (idle + busy) };
}

function inheritedOwners(nodes: readonly Profiler.ProfileNode[]): Map<number, string> {
  const owners = new Map<number, string>();
  // V8 lists a caller before the functions that it calls.
  for (const { id, callFrame, children = [] } of nodes) {
    const owner = ownerOf(callFrame) ?? owners.get(id) ?? 'node: outside JavaScript';
    owners.set(id, owner);
    for (const child of children) owners.set(child, owner);
  }
  return owners;
}

function functionName(frame: Frame, owner: string): string {
  const { functionName: name, url } = frame;
  const place = url === '' ? `native, for ${owner}` : functionPlace(frame);
  return `${name === '' ? '(anonymous)' : name}  ${place}`;
}

function add(sums: Map<string, number>, key: string, value: number): void {
  sums.set(key, (sums.get(key) ?? 0) + value);
}

function sharesOf(sums: ReadonlyMap<string, number>, whole: number): Share[] {
  return [...sums]
    .map(([name, sum]) => ({ name, share: sum / whole }))
    .filter(({ share }) => share >= 0.0005)
    .sort((a, b) => b.share - a.share);
}
