import { setTimeout as sleep } from 'node:timers/promises';
import { openSessions, playEpisodes, withClients } from '../load/protocol.ts';
import { type Contestant, otherProtocolNames } from '../process/contestants.ts';
import { openFileLimit } from '../process/proc.ts';
import { preloadFlags, readPreload, type ServerProcess, startServer } from '../process/server-process.ts';
import { type Measure, type MeasureContext, runRounds } from './measure.ts';

const measure = 'sessions';
const CLIENTS = 32;
/** Open files of a process that are not sessions. */
const OTHER_FILES = 200;
const SETTLE_MS = 1500;

interface SessionLoad {
  count: number;
  rounds: number;
  /** Contestants that are left out: they would take minutes, with the same result as with fewer sessions. */
  without: readonly string[];
}

/**
 * Memory growth of a server through idle sessions. Each round starts a server and warms it up with whole episodes, so
 * that compiled code and the usual garbage exist before the first reading.
 */
export const sessions: Measure = {
  name: measure,
  about: 'bytes per idle session, resident and in use, with 10,000 and with 100,000 sessions',
  run: async (context) => {
    for (const load of loads(context.quick)) {
      const runners = context.contestants.filter(({ name }) => !load.without.includes(name));
      const plan = { rounds: load.rounds, runners, warmUp: false, timeoutSeconds: 90 + load.count / 100 };
      await runRounds(context, measure, plan, (contestant) => fillServer(context, contestant, load.count));
    }
  },
};

const loads = (quick: boolean): SessionLoad[] => [
  { count: 10_000, rounds: quick ? 1 : 2, without: [] },
  ...(quick ? [] : [{ count: 100_000, rounds: 1, without: ['express', 'openreward', ...otherProtocolNames] }]),
];

async function fillServer(context: MeasureContext, contestant: Contestant, count: number): Promise<void> {
  const isNode = contestant.command === process.execPath;
  await using server = await startServer(contestant, isNode ? preloadFlags('heap-usage', '--expose-gc') : []);
  const readMemory = async () => {
    await sleep(SETTLE_MS);
    const inUse = isNode ? await readPreload(server.child) : undefined;
    return { resident: server.memory(), inUse };
  };
  const { sessionIsConnection } = server.protocol;
  if (sessionIsConnection) {
    assertOpenFiles(server, count);
    context.note(
      `sessions, ${contestant.name}: a session is a connection, so that its bytes include those of a socket.`,
    );
  }
  await withClients(server, CLIENTS, async (clients) => {
    await playEpisodes(clients, 2000);
    const before = await readMemory();
    await openSessions(clients, count);
    const after = await readMemory();
    const record = (kind: string, bytes: number) => {
      const name = `${kind} bytes/idle session, of ${count.toLocaleString('en')}`;
      context.record({ measure, name, better: 'less' }, contestant.name, bytes / count);
    };
    record('RSS', after.resident - before.resident);
    if (before.inUse !== undefined && after.inUse !== undefined) record('heap', after.inUse - before.inUse);
  });
}

function assertOpenFiles(server: ServerProcess, count: number): void {
  const limit = Math.min(openFileLimit('self'), server.openFileLimit());
  if (limit < count + OTHER_FILES) {
    throw new Error(
      `${count} sessions are ${count} connections, but the open-file limit is ${limit}: raise \`ulimit -n\``,
    );
  }
}
