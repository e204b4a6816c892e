#!/usr/bin/env node
import { Command } from 'commander';
import { PACKAGE } from '../server/index.ts';
import { generateCommand } from './commands/generate.ts';
import { serveCommand } from './commands/serve.ts';

const program = new Command('ors')
  .description('The Open Reward Standard: serve environments, regenerate types and clients from the spec.')
  .version(PACKAGE.version)
  .addCommand(serveCommand())
  .addCommand(generateCommand())
  .showHelpAfterError('(ors --help says what there is)');

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`ors: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
