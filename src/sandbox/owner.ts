import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errorCode } from '../core/index.ts';

/** The process that made a sandbox. Off Linux only `host` and `pid` are known, the others are empty. */
export type Owner = {
  host: string;
  /** Tells one run of the machine from the next. */
  boot: string;
  /** Tells containers apart that share a folder: each counts its processes from 1. */
  namespace: string;
  pid: number;
  /** When it started: a number is given to another process once it is free. */
  start: string;
};

export function thisProcess(): Owner {
  return { host: hostname(), ...place(), ...processOf(process.pid) };
}

/** A process of this machine and container. */
export const processOf = (pid: number) => ({ pid, start: startOf(pid) ?? '' });

/** Whether a process is certainly gone. What cannot be judged from here counts as alive. */
export function isGone(owner: Owner): boolean {
  const here = place();
  if (owner.host !== hostname()) return false;
  if (owner.boot !== here.boot) return true;
  if (owner.namespace !== here.namespace) return false;
  return !isAlive(owner.pid) || (owner.start !== '' && startOf(owner.pid) !== owner.start);
}

/** As one word, for labels. */
export const ownerToText = ({ host, boot, namespace, pid, start }: Owner) =>
  [host, boot, namespace, pid, start].join('|');

/** undefined: the text is none of ours. */
export function ownerFromText(text: string): Owner | undefined {
  const [host, boot, namespace, pid, start, more] = text.split('|');
  if (host === undefined || boot === undefined || namespace === undefined || start === undefined) return undefined;
  if (more !== undefined || !/^\d+$/.test(pid ?? '')) return undefined;
  return { host, boot, namespace, pid: Number(pid), start };
}

function place(): { boot: string; namespace: string } {
  if (process.platform !== 'linux') return { boot: '', namespace: '' };
  return {
    boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
    namespace: readlinkSync('/proc/self/ns/pid'),
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, and somebody else's.
    return errorCode(error) !== 'ESRCH';
  }
}

/** In clock ticks since the machine started. undefined: there is no such process, or no /proc. */
function startOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program stands in parentheses and may hold anything; the start is the 20th field after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}
