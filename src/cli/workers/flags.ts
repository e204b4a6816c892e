import { defineFlags, type FlagValues } from '../command.ts';
import { integerParser, orInvalid } from '../flag-parsers.ts';
import { isNodeTag, offsetTag } from '../proxy-config/plan.ts';

/** Set for a worker process, to its index. */
export const WORKER_VARIABLE = 'ORS_SERVE_WORKER';

/** Flags of a server that is one of several. */
export const workerFlags = defineFlags({
  '--node-tag <tag>': {
    help: 'four hex digits at the start of new session ids, for a proxy in front of several servers',
    env: 'ORS_NODE_TAG',
    parse: parseNodeTag,
  },
  '--workers <number>': {
    help: 'number of server processes, on consecutive ports and with consecutive tags',
    parse: integerParser({ min: 1, max: 1_000 }),
    conflicts: ['watch'],
  },
  '--proxy-config <file>':
    'write the configuration of a proxy in front of all workers; it accepts other machines only if --host does; .cfg is for HAProxy',
});

export type WorkerFlags = FlagValues<typeof workerFlags> & { readonly port: number; readonly host: string };

/** Returns port and node tag of this process, or undefined if it only starts workers. */
export function workerListenOptions(flags: WorkerFlags): Pick<WorkerFlags, 'port' | 'nodeTag'> | undefined {
  if (flags.workers === undefined) {
    if (flags.proxyConfig === undefined) return flags;
    throw new Error('--proxy-config needs --workers; for other servers use ors proxy-config');
  }
  const index = workerIndex();
  if (index === undefined) return undefined;
  return { port: flags.port + index, nodeTag: offsetTag(flags.nodeTag ?? '0000', index) };
}

/**
 * Returns the index of this worker process, or undefined if it is not one. A worker ends with its parent, and does not
 * pass the variable to commands that author code starts.
 */
function workerIndex(): number | undefined {
  const index = process.env[WORKER_VARIABLE];
  if (index === undefined || !process.connected) return undefined;
  delete process.env[WORKER_VARIABLE];
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // The channel alone must not keep the process alive.
  process.channel?.unref();
  return Number(index);
}

/** Message of a worker to its parent. */
interface WorkerReadyMessage {
  readonly kind: 'ready';
}

/** Notifies the parent process that this worker listens; does nothing without a parent. */
export function notifyReady(): void {
  if (process.connected) process.send?.({ kind: 'ready' } satisfies WorkerReadyMessage);
}

function parseNodeTag(text: string): string {
  return orInvalid(isNodeTag(text) ? text : undefined, 'four hex digits in lower case, such as 0001');
}
