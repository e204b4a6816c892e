#!/usr/bin/env node
import { Command } from 'commander';
import { codeFrameOf, errorMessage } from '../core/index.ts';
import { PACKAGE } from '../core/node/index.ts';
import { addCommands, addUsageAdvice, type CommandLoaders } from './command.ts';

/** Loaded on use: `--help` needs none of them, and `serve` far more modules than `call`. */
const COMMANDS: CommandLoaders = {
  init: {
    summary: 'Create a project: an environment, its tests, a Dockerfile and a GitHub Action.',
    load: async () => (await import('./commands/init.ts')).initCommand,
  },
  serve: {
    summary: 'Serve environments over HTTP.',
    load: async () => (await import('./commands/serve.ts')).serveCommand,
  },
  'proxy-config': {
    summary: 'Print the configuration of nginx or HAProxy in front of several servers.',
    load: async () => (await import('./commands/proxy-config.ts')).proxyConfigCommand,
  },
  call: {
    summary: 'List what an ORS server offers, and call its tools.',
    load: async () => (await import('./commands/call.ts')).callCommand,
  },
  top: {
    summary: 'Watch a server: sessions, calls, queues, event loop, memory.',
    load: async () => (await import('./commands/top.ts')).topCommand,
  },
  play: {
    summary: 'Play an episode by hand, as the agent would.',
    load: async () => (await import('./commands/play.ts')).playCommand,
  },
  rollout: {
    summary: 'Play episodes of many tasks with a model or another agent: rewards, traces and a summary.',
    load: async () => (await import('./commands/rollout.ts')).rolloutCommand,
  },
  validate: {
    summary: 'Find mistakes in environments before you train on them.',
    load: async () => (await import('./commands/validate.ts')).validateCommand,
  },
  audit: {
    summary: 'Find exploits of environments, and prove each by a transcript that pays when it is replayed.',
    load: async () => (await import('./commands/audit.ts')).auditCommand,
  },
  conformance: {
    summary: 'Test any ORS server against the standard, requirement by requirement.',
    load: async () => (await import('./commands/conformance.ts')).conformanceCommand,
  },
  'conformance-client': {
    summary: 'Test any ORS client against the standard, requirement by requirement.',
    load: async () => (await import('./commands/conformance-client.ts')).conformanceClientCommand,
  },
  tasks: {
    summary: 'Write the tasks of an environment to a manifest, and compare manifests.',
    load: async () => (await import('./commands/tasks.ts')).tasksCommand,
  },
  compare: {
    summary: 'Compare runs: means with errors, differences by task, pass@k.',
    load: async () => (await import('./commands/compare.ts')).compareCommand,
  },
  traces: {
    summary: 'Store, read and move traces: the logs of agent runs.',
    load: async () => (await import('./commands/traces.ts')).tracesCommand,
  },
  mcp: {
    summary: 'Serve an episode as an MCP server: its prompt and tools, for any agent that speaks MCP.',
    load: async () => (await import('./commands/mcp.ts')).mcpCommand,
  },
  replay: {
    summary: 'Serve recorded episodes: the same prompts, tools, outputs and rewards.',
    load: async () => (await import('./commands/replay.ts')).replayCommand,
  },
  generate: {
    summary: 'Write types, operation table, validators and a typed client from a specification.',
    load: async () => (await import('./commands/generate.ts')).generateCommand,
  },
  completion: {
    summary: 'Print a script that completes commands, flags and values in a shell.',
    load: async () => (await import('./commands/completion.ts')).completionCommand,
  },
};

async function createProgram(words: readonly string[]): Promise<Command> {
  const program = new Command('ors')
    .description('The Open Reward Standard: serve and play environments, regenerate types and clients from the spec.')
    // Options after the name of a command belong to that command.
    .enablePositionalOptions()
    .addHelpText('after', '\nRun it with npx ors-kit, in a project that has installed ors-kit and in a checkout.');
  addUsageAdvice(program, 'ors');
  await addCommands(program, COMMANDS, words, 'ors');
  if (Object.hasOwn(COMMANDS, words[0] ?? '')) return program;
  return program.version(PACKAGE.version);
}

/** Reads `help traces ls` as `traces ls --help`. An unknown name stays alone, which is an error. */
function wordsOf([first, ...words]: readonly string[]): readonly string[] {
  if (first !== 'help') return first === undefined ? [] : [first, ...words];
  const isKnown = words.every((word) => word.startsWith('-')) || Object.hasOwn(COMMANDS, words[0] ?? '');
  return isKnown ? [...words, '--help'] : words;
}

try {
  const words = wordsOf(process.argv.slice(2));
  const program = await createProgram(words);
  await program.parseAsync(words, { from: 'user' });
} catch (error) {
  const frame = codeFrameOf(error);
  process.stderr.write(`ors: ${errorMessage(error)}\n${frame === undefined ? '' : `\n${frame}`}`);
  process.exitCode = 1;
}
