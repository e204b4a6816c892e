import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../support/until.ts';
import type { PostgresServer } from '../trace/store/postgres-server.ts';

const DEADLINE_MS = 120_000;

/** Ways to kill a PostgreSQL server. */
export const ways = {
  /** Like `pg_ctl stop -m immediate`, and a fast shutdown of the system. */
  async immediately(server: PostgresServer): Promise<void> {
    await server.kill();
    await startAgain(server);
  },
  /** Kills the first process only: the others exit when they notice, and may answer until then. */
  async postmaster(server: PostgresServer, url: string): Promise<void> {
    kill(await postmasterOf(server, url));
    await startAgain(server);
  },
  /** Kills all processes at the same time, as a power failure does. */
  async everything(server: PostgresServer, url: string): Promise<void> {
    const [first, others] = [await postmasterOf(server, url), await othersOf(server, url, 'true')];
    for (const pid of [first, ...others]) kill(pid);
    await startAgain(server);
  },
  /** Kills one connection, as the OOM killer does: the server closes all others, and recovers by itself. */
  async connection(server: PostgresServer, url: string): Promise<void> {
    const [pid = 0] = await othersOf(server, url, "application_name = 'ors-kit' ORDER BY random()");
    kill(pid);
  },
};

export type Way = keyof typeof ways;

/** Reads the pid of the server from the first line of its pid file. */
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

/** Waits for a server that recovers by itself. */
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

/** @throws Error for an invalid pid: 0 would kill this process and its group. */
function kill(pid: number): void {
  if (!(pid > 1)) throw new Error(`invalid pid of PostgreSQL: expected a number above 1, got ${pid}`);
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // The process has exited meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Waits for the processes of the old server, because the new one does not start before they exit. */
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
