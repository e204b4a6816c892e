import { type Command, Option } from 'commander';

/** Which store, and whose traces of it, as it is typed. */
export interface StoreAccessFlags {
  readonly db?: string;
  readonly url?: string;
  readonly apiKey?: string;
  readonly org: string;
}

const HEADING = 'Where the traces are:';
const FILE = 'SQLite file of the store, or ORS_TRACES_DB (default: ./traces.db)';

export const organizationOption = (): Option =>
  new Option('--org <name>', 'organization whose traces are meant').env('ORS_TRACES_ORGANIZATION').default('default');

/** For commands that work on a file and over HTTP alike. */
export function addStoreAccessOptions(command: Command): Command {
  const options = [
    new Option('--db <file>', FILE),
    new Option('--url <server>', 'address of a server of traces, or ORS_TRACES_URL'),
    new Option('--api-key <key>', 'sent to the server as X-API-Key').env('ORS_TRACES_API_KEY'),
    organizationOption(),
  ];
  for (const option of options) command.addOption(option.helpGroup(HEADING));
  return command;
}

/** For commands that need the file itself; who types --url is told so. */
export const addFileOption = (command: Command): Command =>
  command.addOption(new Option('--db <file>', FILE)).addOption(new Option('--url <server>').hideHelp());
