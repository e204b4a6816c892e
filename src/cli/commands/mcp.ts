import { Command, Option } from 'commander';
import type { RewardRow } from '../../bridges/mcp/index.ts';
import type { TaskSelector } from '../../client/index.ts';
import { CliError } from '../failure.ts';
import { openRewardFile } from '../mcp/reward-file.ts';
import { type McpEpisodeSource, serveOnStreams, serveOverHttp } from '../mcp/serve-episodes.ts';
import { portOption } from '../option-parsers.ts';
import { connectToServer, type ServerConnection } from '../remote/connect.ts';
import { addConnectionOptions, type ConnectionFlags } from '../remote/connection-options.ts';
import { listenForInterrupts } from '../remote/interrupts.ts';
import { openSessionWithHints } from '../remote/open-session.ts';
import { reportFailure } from '../remote/report-failure.ts';
import { addTaskOptions, parseTaskFlags, type TaskFlags } from '../remote/task-options.ts';

interface McpFlags extends ConnectionFlags, TaskFlags {
  readonly env?: string;
  readonly http?: true;
  readonly port: number;
  readonly rewards?: string;
}

const HELP = `
The prompt is in the instructions, in the prompt 'task' and in the resource ors://prompt. The model sees no rewards: they
go to --rewards, a line for each call and one for the whole episode. The episode is deleted when the client is gone.
Needs the package @modelcontextprotocol/sdk.

Examples:
  $ ors mcp http://127.0.0.1:8080 --env countdown --split test --index 0 --rewards rewards.jsonl
  $ ors mcp http://127.0.0.1:8080 --env countdown --split test --index 0 --http --port 3000
  $ claude mcp add countdown -- ors mcp http://127.0.0.1:8080 --env countdown --split test --index 0`;

/** `ors mcp <url> --env <name> (--split --index | --task)`. */
export function mcpCommand(): Command {
  const command = new Command('mcp')
    .description('Serve an episode as an MCP server: its prompt and tools, for any agent that speaks MCP.')
    .argument('<url>', 'address of the environment server')
    .option('--env <name>', 'environment (default: the only one of the server)');
  return addConnectionOptions(addTaskOptions(command))
    .option('--rewards <file>', 'write rewards to this file, as JSON Lines')
    .option('--http', 'serve over streamable HTTP, an episode for each client (default: standard input and output)')
    .addOption(
      new Option('--port <number>', 'port for --http, on 127.0.0.1; 0 takes a free one')
        .default(3000)
        .argParser(portOption),
    )
    .addHelpText('after', HELP)
    .action((url: string, flags: McpFlags) => reportFailure(false, () => run(url, flags), flags));
}

async function run(url: string, flags: McpFlags): Promise<void> {
  const task = await parseTaskFlags(flags);
  if (!task) throw new CliError('which task? give --split <name> and --index <number>, or --task <json>');
  using interrupts = listenForInterrupts();
  await using server = await connectToServer(url, flags, interrupts.signal);
  using rewards = flags.rewards === undefined ? undefined : openRewardFile(flags.rewards);
  const place = 'task' in task ? {} : { split: task.split, index: task.index };
  const episodes: McpEpisodeSource = {
    open: opener(server, flags, task),
    onReward: (row: RewardRow) => rewards?.add({ ...row, ...place }),
    interrupt: interrupts.signal,
  };
  await (flags.http ? serveOverHttp(episodes, flags.port) : serveOnStreams(episodes));
  if (rewards?.failure) throw rewards.failure;
}

function opener(
  server: ServerConnection,
  { env, secret = {} }: McpFlags,
  task: TaskSelector,
): McpEpisodeSource['open'] {
  const [only, ...others] = server.names;
  if (env === undefined && (only === undefined || others.length > 0)) {
    throw new CliError(`which environment? give --env with one of: ${server.names.join(', ')}`);
  }
  const environment = server.environment(env ?? only ?? '');
  return () => openSessionWithHints(environment, task, secret, server.request);
}
