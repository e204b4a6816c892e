import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../support/until.ts';
import type { PostgresServer } from '../trace/store/postgres-server.ts';

const DEADLINE_MS = 120_000;

/** How a PostgreSQL server dies, and what it does then. */
export const ways = {
  /** As `pg_ctl stop -m immediate`, which is also what a shutdown of the system in a hurry is. */
  async immediately(server: PostgresServer): Promise<void> {
    await server.kill();
    await startAgain(server);
  },
  /** Its first process alone: the others end when they see that it is gone, and may answer until then. */
  async postmaster(server: PostgresServer, url: string): Promise<void> {
    kill(await postmasterOf(server, url));
    await startAgain(server);
  },
  /** Every process of it at the same time, as when the power goes. */
  async everything(server: PostgresServer, url: string): Promise<void> {
    const [first, others] = [await postmasterOf(server, url), await othersOf(server, url, 'true')];
    for (const pid of [first, ...others]) kill(pid);
    await startAgain(server);
  },
  /** One connection, as when memory runs out: the server ends all others, and recovers by itself. */
  async connection(server: PostgresServer, url: string): Promise<void> {
    const [pid = 0] = await othersOf(server, url, "application_name = 'ors-kit' ORDER BY random()");
    kill(pid);
  },
};

export type Way = keyof typeof ways;

/** Its own file names it in its first line. */
async function postmasterOf(server: PostgresServer, url: string): Promise<number> {
  return Number((await untilAnswered(server, url, "SELECT pg_read_file('postmaster.pid')")).split('\n')[0]);
}

async function othersOf(server: PostgresServer, url: string, condition: string): Promise<number[]> {
  const sql = `SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND ${condition}`;
  return await until(
    async () => {
      const pids = (await untilAnswered(server, url, sql)).split('\n').filter((pid) => pid !== '');
      return pids.length > 0 && pids.map(Number);
    },
    `processes of PostgreSQL where ${condition}`,
    DEADLINE_MS,
  );
}

/** A server that is about to recover by itself answers a moment later. */
async function untilAnswered(server: PostgresServer, url: string, sql: string): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      return await server.psql(url, sql);
    } catch (error) {
      if (tries === 300) throw error;
      await delay(50);
    }
  }
}

/** @throws Error for a pid that is a mistake in this test: 0 would end this process and its group. */
function kill(pid: number): void {
  if (!(pid > 1)) throw new Error(`there is no process ${pid} to kill`);
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** While a process of the server before is still there, the new one refuses to begin. */
async function startAgain(server: PostgresServer): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await server.start();
    } catch (error) {
      if (tries === 100) throw error;
      await delay(100);
    }
  }
}
