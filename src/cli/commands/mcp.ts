import { appendFileSync } from 'node:fs';
import { type RewardRow, serveMcp, serveMcpHttp } from '../../bridges/mcp/index.ts';
import type { Session } from '../../client/index.ts';
import { aborted, errorMessage, onAbort } from '../../core/index.ts';
import { fileProblem } from '../../core/node/index.ts';
import { PACKAGE } from '../../server/index.ts';
import { defineCommand, parsePort } from '../command.ts';
import { CliError, onlyName } from '../failure.ts';
import { listenForInterrupts } from '../process.ts';
import { connectToServer, openSessionWithHints } from '../remote/connect.ts';
import { connectionFlags, parseTaskFlags, sessionOptions, taskFlags } from '../remote/flags.ts';

/** How `ors mcp` opens episodes and reports their rewards. */
interface McpEpisodeSource {
  readonly open: () => Promise<Session>;
  readonly onReward: (row: RewardRow) => void;
  /** Aborts when the command has to end. */
  readonly interrupt: AbortSignal;
}

export const mcpCommand = defineCommand({
  name: 'mcp',
  arguments: [['<url>', 'URL of the environment server']],
  flags: {
    '--env <name>': 'environment (default: the only one of the server)',
    ...taskFlags,
    ...connectionFlags,
    '--rewards <file>': 'write rewards to this file, as JSON Lines',
    '--http': 'serve over streamable HTTP, with an episode for each client (default: standard input and output)',
    '--port <number>': { help: 'port for --http, on 127.0.0.1; 0 picks a free one', default: 3000, parse: parsePort },
  },
  details: `The prompt is in the instructions, in the prompt 'task' and in the resource ors://prompt. If the environment grades the
final message of the model, the tool that grades it is listed too. The model sees no rewards: they are written to
--rewards, one line per call and one for the episode. The episode is deleted when the client disconnects. With --http,
clients of the revision 2026-07-28 have no sessions: append ?episode=<name> to the URL, with another name for each agent.`,
  examples: [
    'ors mcp http://127.0.0.1:8080 --env countdown --split test --index 0 --rewards rewards.jsonl',
    'ors mcp http://127.0.0.1:8080 --env countdown --split test --index 0 --http --port 3000',
    'claude mcp add countdown -- ors mcp http://127.0.0.1:8080 --env countdown --split test --index 0',
  ],
  async run(url, flags) {
    const task = await parseTaskFlags(flags);
    if (!task) throw new CliError('no task selected; pass --split <name> and --index <number>, or --task <json>');
    using interrupts = listenForInterrupts();
    await using server = await connectToServer(url, flags, interrupts.signal);
    const environment = server.environment(flags.env ?? onlyName('environment', '--env', server.names), '--env');
    const rewards = flags.rewards === undefined ? undefined : openRewardFile(flags.rewards);
    const source = 'task' in task ? {} : { split: task.split, index: task.index };
    const episodes: McpEpisodeSource = {
      open: () => openSessionWithHints(environment, task, sessionOptions(flags), server.request),
      onReward: (row) => rewards?.add({ ...row, ...source }),
      interrupt: interrupts.signal,
    };
    await (flags.http ? serveOverHttp(episodes, flags.port) : serveOnStreams(episodes));
    if (rewards?.failure) throw rewards.failure;
  },
});

/** Serves one episode on standard input and output until the client disconnects or the command is interrupted. */
async function serveOnStreams({ open, onReward, interrupt }: McpEpisodeSource): Promise<void> {
  await using session = await open();
  await using served = await serveMcp(session, { onReward, version: PACKAGE.version });
  // Standard output carries MCP only.
  process.stderr.write(`ors mcp serves an episode of ${session.environment} on standard input and output\n`);
  onAbort(interrupt, () => void served.close().catch(() => {}));
  await served.closed;
}

/** Serves an episode for each client over HTTP until the command is interrupted. */
async function serveOverHttp({ open, onReward, interrupt }: McpEpisodeSource, port: number): Promise<void> {
  const onError = (error: unknown) => void process.stderr.write(`ors: ${errorMessage(error)}\n`);
  const options = { port, onReward, onError, version: PACKAGE.version };
  await using served = await serveMcpHttp(open, options).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EADDRINUSE') throw cause;
    throw new CliError(`port ${port} is in use; choose another with --port, or 0 for a free one`, { cause });
  });
  process.stdout.write(`ors mcp serves episodes on ${served.url}\n`);
  await aborted(interrupt);
}

/** File that rewards are appended to as JSON Lines; the model does not see it. @throws CliError if it cannot be opened. */
function openRewardFile(path: string) {
  const append = (text: string): CliError | undefined => {
    try {
      appendFileSync(path, text, { flush: true });
      return undefined;
    } catch (cause) {
      return new CliError(`cannot write rewards to '${path}': ${fileProblem(cause, 'write')}`, { cause });
    }
  };
  let failure = append('');
  if (failure) throw failure;
  return {
    /** Writes a line, which is on disk when this returns. Does not throw. */
    add(row: object): void {
      const line = JSON.stringify(row);
      const failed = append(`${line}\n`);
      if (failed) process.stderr.write(`ors: ${failed.message}: ${line}\n`);
      failure ??= failed;
    },
    /** First failure to write a line. */
    get failure() {
      return failure;
    },
  };
}
