import type { Command } from 'commander';
import { collectList } from '../conformance/flags.ts';
import { integerOption, secondsOption } from '../option-parsers.ts';

/** The options of `ors conformance-client` as they are typed. */
export interface ConformanceClientFlags {
  readonly command?: string;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly timeout?: number;
  readonly concurrency?: number;
  readonly expectedFailures?: string;
  readonly strict?: true;
  readonly requireComplete?: true;
  readonly report?: string;
  readonly json?: true;
  readonly verbose?: true;
  readonly list?: true;
  readonly explain?: string;
}

export function addClientOptions(command: Command): Command {
  return command
    .option('--command <command>', 'starts the adapter, which tells the client what to do; run by the shell')
    .option('--only <names>', 'only these checks: ids, groups or requirements, comma separated', collectList)
    .option('--skip <names>', 'all but these checks', collectList)
    .option('--timeout <seconds>', 'longest wait for what the client does (default: 20)', secondsOption)
    .option(
      '--concurrency <number>',
      'checks at once, each with an adapter of its own (default: 12)',
      integerOption({ min: 1 }),
    )
    .option('--expected-failures <file>', 'checks that fail: one id a line, then # and why, or # sometimes: and why')
    .option('--strict', 'warnings fail the run')
    .option('--require-complete', 'what is not testable fails the run')
    .option('--report <folder>', 'write results.json, junit.xml, report.html and badge.svg')
    .option('--json', 'print results.json and nothing else')
    .option('--verbose', 'show the checks that pass too')
    .option('--list', 'list the checks and do nothing')
    .option('--explain <id>', 'what a check or a requirement is about');
}
