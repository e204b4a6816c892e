import { oneLine, truncate } from '../../core/index.ts';
import { TraceError } from '../../trace/client/index.ts';
import { TRACE_ID, TraceStoreError } from '../../trace/model/index.ts';
import { defineFlags, type FlagValues } from '../command.ts';
import { CliError, type FailureReporter } from '../failure.ts';
import { createLinePrompt, InputEndedError } from '../play/line-prompt.ts';
import { listenForInterrupts } from '../process.ts';
import { reportFailure } from '../report-failure.ts';

const FILE = 'SQLite file of the store, or ORS_TRACES_DB (default: ./traces.db)';

export const organizationFlag = defineFlags({
  '--org <name>': { help: 'organization that owns the traces', env: 'ORS_TRACES_ORGANIZATION', default: 'default' },
});

/** Flags of commands that work on a file and over HTTP. */
export const storeAccessFlags = defineFlags(
  {
    '--db <file>': FILE,
    '--url <server>': 'URL of a trace server, or ORS_TRACES_URL',
    '--api-key <key>': { help: 'sent to the server as X-API-Key', env: 'ORS_TRACES_API_KEY' },
    ...organizationFlag,
  },
  'Trace store:',
);

/** Flags of commands that need the file itself; `--url` gets an explanation. */
export const storeFileFlags = defineFlags({ '--db <file>': FILE, '--url <server>': { help: '', hidden: true } });

export type StoreAccessFlags = FlagValues<typeof storeAccessFlags>;

/** Parses a trace id; the prefix `tr_` is optional. @throws CliError */
export function parseTraceId(text: string): string {
  const id = text.startsWith('tr_') ? text : `tr_${text}`;
  if (TRACE_ID.test(id)) return id;
  const shown = truncate(oneLine(text), 80);
  throw new CliError(
    `invalid trace id '${shown}': expected an id such as tr_01k2m3n4p5q6r7s8t9v0w1x2y3; ors traces ls lists them`,
  );
}

/** Asks the user to confirm something that cannot be undone. @throws CliError if they refuse, or without a terminal. */
export async function confirm(question: string): Promise<void> {
  const { stdin: input, stderr: output } = process;
  if (!input.isTTY || !output.isTTY) {
    throw new CliError(`cannot ask '${question}' without a terminal; confirm with --yes`);
  }
  using interrupts = listenForInterrupts();
  const { signal, interrupt } = interrupts;
  using prompt = createLinePrompt({ input, output, signal, onInterrupt: () => interrupt('SIGINT') });
  const response = await prompt.ask(`${question} [y/N] `).catch((error: unknown) => {
    if (error instanceof InputEndedError) return '';
    throw error;
  });
  if (!/^y(es)?$/i.test(response.trim())) throw new CliError('nothing was deleted');
}

/** Reports failures of the trace store with a remedy. */
export const reportTraceFailure: FailureReporter = (flags, work) =>
  reportStoreFailure(flags, () => {
    // `ors traces ls | head`: exit when the reader of the output is gone.
    process.stdout.on('error', () => process.exit());
    return work();
  });

/** The same for a server, which continues when the reader of its output is gone. */
export const reportStoreFailure: FailureReporter = (flags, work) =>
  reportFailure(flags, async () => {
    try {
      await work();
    } catch (error) {
      throw toCliError(error);
    }
  });

function toCliError(error: unknown): unknown {
  if (error instanceof TraceStoreError) return new CliError(error.message, { cause: error });
  if (!(error instanceof TraceError)) return error;
  const advice = adviceFor(error);
  return new CliError(advice === undefined ? error.message : `${error.message}; ${advice}`, { cause: error });
}

function adviceFor({ code, status }: TraceError): string | undefined {
  if (code === 'NETWORK') return 'check the address, and that the server runs';
  if (code === 'TRACE_NOT_FOUND') return 'ors traces ls lists the traces; --org selects another organization';
  if (code === 'NOT_FOUND') return 'ors traces stats lists the runs';
  if (status === 401) return 'pass a key with --api-key or ORS_TRACES_API_KEY';
  return undefined;
}
