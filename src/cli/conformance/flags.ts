import { type Command, Option } from 'commander';
import { collectOption, integerOption, secondsOption } from '../option-parsers.ts';

/** The options of `ors conformance` as they are typed. */
export interface ConformanceFlags {
  readonly profile?: readonly string[];
  readonly env?: string;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly tool?: readonly string[];
  readonly skipTool?: readonly string[];
  readonly toolCalls: boolean;
  readonly input?: readonly string[];
  readonly secrets?: string;
  readonly maxCalls?: number;
  readonly maxSeconds?: number;
  readonly timeout?: number;
  readonly seed?: number;
  readonly concurrency?: number;
  readonly apiKey?: string;
  readonly header?: readonly string[];
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly insecure?: true;
  readonly sessionTimeout?: number;
  readonly resultLinger?: number;
  readonly heartbeat?: number;
  readonly expectedFailures?: string;
  readonly strict?: true;
  readonly requireComplete?: true;
  readonly iOwnThis?: true;
  readonly start?: string;
  readonly report?: string;
  readonly list?: true;
  readonly explain?: string;
  readonly dryRun?: true;
  readonly json?: true;
  readonly verbose?: true;
}

export function addConformanceOptions(command: Command): Command {
  addWhatIsChecked(command);
  addHowItIsReached(command);
  addTimes(command);
  return addWhatComesOfIt(command);
}

function addWhatIsChecked(command: Command): void {
  command
    .option('--profile <names>', 'discovery, core, full, soak or hostile, comma separated (default: core)', collectList)
    .option('--env <name>', 'environment to test (default: the fixture if it is served, else the first)')
    .option('--only <names>', 'only these checks: ids, groups or requirements, comma separated', collectList)
    .option('--skip <names>', 'all but these checks', collectList)
    .option('--tool <names>', 'tools that may be called (default: all)', collectList)
    .option('--skip-tool <names>', 'tools that may not be called', collectList)
    .option('--no-tool-calls', 'call no tools at all')
    .option('--input <tool=json>', 'input for a tool, as JSON or @file (repeat)', collectOption)
    .option('--secrets <@file>', 'JSON object of secrets for every episode; they are in no report')
    .option('--max-calls <number>', 'most tool calls (default: what the checks need)', integerOption({ min: 0 }))
    .option('--max-seconds <number>', 'begin no check after this time (default: 120 in core)', secondsOption)
    .option('--seed <number>', 'of everything random (default: 1)', integerOption({ min: 0 }))
    .option('--concurrency <number>', 'checks at once (default: 4)', integerOption({ min: 1 }))
    .option('--i-own-this', 'allows the profile hostile against a server that is not on this machine');
}

function addHowItIsReached(command: Command): void {
  command
    .option('--start <command>', 'start the server by this command, wait for it, and stop it in the end')
    .addOption(new Option('--api-key <key>', 'sent as X-API-Key; in no report').env('ORS_API_KEY'))
    .option('--header <name: value>', 'sent with every request; its value is in no report (repeat)', collectOption)
    .option('--timeout <seconds>', 'longest wait for one answer (default: 30)', secondsOption)
    .option('--ca <file>', 'PEM file of the authorities to trust')
    .option('--cert <file>', 'PEM file of a certificate to show to the server; needs --key')
    .option('--key <file>', 'PEM file of its key')
    .option('--insecure', "do not check the server's certificate");
}

function addTimes(command: Command): void {
  command
    .option('--session-timeout <seconds>', 'a session without requests ends after this (default: 900)', secondsOption)
    .option('--result-linger <seconds>', 'a result is kept this long (default: 60)', secondsOption)
    .option('--heartbeat <seconds>', 'a silent stream sends something this often (default: 15)', secondsOption);
}

function addWhatComesOfIt(command: Command): Command {
  return command
    .option('--expected-failures <file>', 'checks that fail: one id a line, then # and why, or # sometimes: and why')
    .option('--strict', 'warnings fail the run')
    .option('--require-complete', 'what is not testable fails the run')
    .option('--report <folder>', 'write results.json, junit.xml, report.html and badge.svg')
    .option('--json', 'print results.json and nothing else')
    .option('--verbose', 'show the checks that pass too')
    .option('--list', 'list the checks and do nothing')
    .option('--explain <id>', 'what a check or a requirement is about; with a url, the requests that it makes')
    .option('--dry-run', 'look at the server by discovery alone, and say what would run');
}

export function collectList(value: string, others: readonly string[] = []): string[] {
  const names = value.split(',').map((name) => name.trim());
  return [...others, ...names.filter((name) => name !== '')];
}
