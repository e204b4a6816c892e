#!/usr/bin/env node
import { Command } from 'commander';
import { codeFrameOf, errorMessage } from '../core/index.ts';
import { addCommands, addUsageAdvice, type CommandLoaders } from './command.ts';

/** Loaded on use: `serve` and `generate` need far more modules than `call`. */
const COMMANDS: CommandLoaders = {
  init: async () => (await import('./commands/init.ts')).initCommand,
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  'proxy-config': async () => (await import('./commands/proxy-config.ts')).proxyConfigCommand,
  call: async () => (await import('./commands/call.ts')).callCommand,
  top: async () => (await import('./commands/top.ts')).topCommand,
  play: async () => (await import('./commands/play.ts')).playCommand,
  rollout: async () => (await import('./commands/rollout.ts')).rolloutCommand,
  validate: async () => (await import('./commands/validate.ts')).validateCommand,
  audit: async () => (await import('./commands/audit.ts')).auditCommand,
  conformance: async () => (await import('./commands/conformance.ts')).conformanceCommand,
  'conformance-client': async () => (await import('./commands/conformance-client.ts')).conformanceClientCommand,
  tasks: async () => (await import('./commands/tasks.ts')).tasksCommand,
  compare: async () => (await import('./commands/compare.ts')).compareCommand,
  traces: async () => (await import('./commands/traces.ts')).tracesCommand,
  mcp: async () => (await import('./commands/mcp.ts')).mcpCommand,
  replay: async () => (await import('./commands/replay.ts')).replayCommand,
  generate: async () => (await import('./commands/generate.ts')).generateCommand,
  completion: async () => (await import('./commands/completion.ts')).completionCommand,
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
  const { PACKAGE } = await import('../server/index.ts');
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
