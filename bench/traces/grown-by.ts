import { residentBytes } from '../process/proc.ts';

const LOOK_MS = 10;

/** By how many bytes the resident memory of a process rises at most while some work is done. */
export async function grownBy(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = residentBytes(pid);
  let most = before;
  const look = () => {
    most = Math.max(most, residentBytes(pid));
  };
  const looks = setInterval(look, LOOK_MS);
  await work().finally(() => clearInterval(looks));
  look();
  return most - before;
}
