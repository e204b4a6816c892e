import { type Command, Option } from 'commander';
import { integerOption, orInvalid } from '../option-parsers.ts';
import { isNodeTag } from '../proxy-config/nodes.ts';
import { workerAddress, workerIndex } from './as-worker.ts';

export interface WorkerFlags {
  readonly port: number;
  readonly host: string;
  readonly nodeTag?: string;
  readonly workers?: number;
  readonly proxyConfig?: string;
}

/** The options of a server that is one of several. */
export function addWorkerOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--node-tag <tag>', 'four hex digits that new session ids begin with, for a proxy to many servers')
        .env('ORS_NODE_TAG')
        .argParser(parseNodeTag),
    )
    .addOption(
      new Option('--workers <number>', 'serve from so many processes, on the ports and with the tags that follow')
        .argParser(integerOption({ min: 1, max: 1_000 }))
        .conflicts('watch'),
    )
    .option(
      '--proxy-config <file>',
      'write the configuration of a proxy to all workers, for other machines only if --host is; .cfg is for HAProxy',
    );
}

/** Where this process listens and which tag it has; undefined if it only starts workers. */
export function workerListenOptions(flags: WorkerFlags): Pick<WorkerFlags, 'port' | 'nodeTag'> | undefined {
  if (flags.workers === undefined) {
    if (flags.proxyConfig === undefined) return flags;
    throw new Error('--proxy-config goes with --workers; for other servers there is ors proxy-config');
  }
  const place = workerIndex();
  return place === undefined ? undefined : workerAddress(place, flags);
}

function parseNodeTag(text: string): string {
  return orInvalid(isNodeTag(text) ? text : undefined, 'four hex digits in lower case, such as 0001');
}
