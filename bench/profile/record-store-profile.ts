import { cpuMicroseconds } from '../process/proc.ts';
import { type EngineName, engines } from '../traces/parts.ts';
import { sampleBlocks } from '../traces/sample-blocks.ts';
import { createTraces, runClients, serve } from '../traces/trace-server.ts';
import { profileWhile, type RecordedProfile } from './record-profile.ts';

export interface StoreLoad {
  readonly engine: EngineName;
  readonly load: 'batches' | 'singles';
  readonly seconds: number;
}

const WARM_UP_SECONDS = 3;

/** Clients, and blocks of a request, as in T1 and T2. */
const SIZES = { batches: { clients: 8, blocks: 100 }, singles: { clients: 32, blocks: 1 } } as const;

/** Records a trace server that receives blocks. */
export async function recordStoreProfile({ engine, load, seconds }: StoreLoad): Promise<RecordedProfile> {
  const { clients, blocks } = SIZES[load];
  await using opened = await engines[engine].open();
  await using database = await opened.create();
  await using server = await serve(database, '', 'profiler');
  await createTraces(server, clients);
  const write = async (name: string, length: number) => {
    const end = performance.now() + length * 1_000;
    let count = 0;
    await runClients(
      clients,
      () => performance.now() < end,
      async (client, turn) => {
        await server.post(`traces/tr_${client}/blocks`, { blocks: sampleBlocks(`${name}${turn}`, blocks) });
        count += blocks;
      },
    );
    return count;
  };
  await write('warm', WARM_UP_SECONDS);
  const before = cpuMicroseconds(server.pid);
  let count = 0;
  const profile = await profileWhile(server.child, async () => {
    count = await write('b', seconds);
  });
  return { profile, count, cpu: cpuMicroseconds(server.pid) - before };
}
