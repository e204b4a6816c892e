#!/usr/bin/env node
import { Command } from 'commander';
import { errorMessage } from '../core/index.ts';

/** Each is loaded when it is asked for: serving and generating need far more than calling. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  init: async () => (await import('./commands/init.ts')).initCommand(),
  serve: async () => (await import('./commands/serve.ts')).serveCommand(),
  'proxy-config': async () => (await import('./commands/proxy-config.ts')).proxyConfigCommand(),
  call: async () => (await import('./commands/call.ts')).callCommand(),
  top: async () => (await import('./commands/top.ts')).topCommand(),
  play: async () => (await import('./commands/play.ts')).createPlayCommand(),
  rollout: async () => (await import('./commands/rollout.ts')).createRolloutCommand(),
  validate: async () => (await import('./commands/validate.ts')).validateCommand(),
  conformance: async () => (await import('./commands/conformance.ts')).conformanceCommand(),
  'conformance-client': async () => (await import('./commands/conformance-client.ts')).conformanceClientCommand(),
  tasks: async () => (await import('./commands/tasks.ts')).tasksCommand(),
  traces: async () => (await import('./commands/traces.ts')).tracesCommand(process.argv[3]),
  mcp: async () => (await import('./commands/mcp.ts')).mcpCommand(),
  replay: async () => (await import('./commands/replay.ts')).replayCommand(),
  generate: async () => (await import('./commands/generate.ts')).generateCommand(),
};

async function newProgram(name: string): Promise<Command> {
  const program = new Command('ors')
    .description('The Open Reward Standard: serve and play environments, regenerate types and clients from the spec.')
    // What stands behind a command belongs to it, and not to the commands around it.
    .enablePositionalOptions()
    .showHelpAfterError('(ors --help says what there is)');
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load) return program.addCommand(await load());
  const { PACKAGE } = await import('../server/index.ts');
  program.version(PACKAGE.version);
  for (const loadEach of Object.values(COMMANDS)) program.addCommand(await loadEach());
  return program;
}

try {
  const [name = ''] = process.argv.slice(2);
  const program = await newProgram(name);
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`ors: ${errorMessage(error)}\n`);
  process.exitCode = 1;
}
