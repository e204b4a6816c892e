import { type RewardRow, serveMcp, serveMcpHttp } from '../../bridges/mcp/index.ts';
import type { Session } from '../../client/index.ts';
import { aborted, errorMessage, onAbort } from '../../core/index.ts';
import { PACKAGE } from '../../server/index.ts';
import { CliError } from '../failure.ts';

/** How `ors mcp` opens episodes, and tells of them. */
export interface McpEpisodeSource {
  readonly open: () => Promise<Session>;
  readonly onReward: (row: RewardRow) => void;
  /** Aborts when the command is to end; the reason is a Failure. */
  readonly interrupt: AbortSignal;
}

/** Serves one episode on standard input and output, until the client is gone or the command is to end. */
export async function serveOnStreams({ open, onReward, interrupt }: McpEpisodeSource): Promise<void> {
  // Whoever reads this output reads MCP; all else is said on standard error.
  await using session = await open();
  await using served = await serveMcp(session, { onReward, version: PACKAGE.version });
  process.stderr.write(`ors mcp serves an episode of ${session.environment} on standard input and output\n`);
  onAbort(interrupt, () => void served.close().catch(() => {}));
  await served.closed;
}

/** Serves an episode for each client over HTTP, until the command is to end. */
export async function serveOverHttp({ open, onReward, interrupt }: McpEpisodeSource, port: number): Promise<void> {
  const onError = (error: unknown) => void process.stderr.write(`ors: ${errorMessage(error)}\n`);
  const options = { port, onReward, onError, version: PACKAGE.version };
  await using served = await serveMcpHttp(open, options).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EADDRINUSE') throw cause;
    throw new CliError(`port ${port} is taken; choose another with --port, or 0 for a free one`, { cause });
  });
  process.stdout.write(`ors mcp serves episodes on ${served.url}\n`);
  await aborted(interrupt);
}
