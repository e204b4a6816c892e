import { Command } from 'commander';
import { oneLine, plural } from '../../core/index.ts';
import type { TraceStore } from '../../trace/store/index.ts';
import { EXIT } from '../failure.ts';
import { countUnit, createProgressBar } from '../terminal/progress.ts';
import { safeJson } from '../terminal/safe-json.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { addFileOption } from '../traces/access-options.ts';
import { openStore, redactLocation } from '../traces/open-store.ts';
import { requireStoreFile } from '../traces/place.ts';
import { reportTraceFailure } from '../traces/report.ts';

interface VerifyFlags {
  readonly db?: string;
  readonly url?: string;
  readonly json?: true;
}

const HELP = `
Every block is read and held against the rules, the counters of its trace, and what its blobs are named by; SQLite checks
its file. It changes nothing, and servers may go on meanwhile.

Exit codes: 0 all is right; 1 something is not.

Examples:
  $ ors traces verify --db traces.db
  $ ors traces verify --db traces.db --json | jq .findings`;

/** `ors traces verify`. */
export function tracesVerifyCommand(): Command {
  return addFileOption(new Command('verify').description('Read a whole store and say what in it is not right.'))
    .option('--json', 'print one JSON document')
    .addHelpText('after', HELP)
    .action((flags: VerifyFlags) => reportTraceFailure(flags.json === true, () => run(flags)));
}

async function run({ json, ...place }: VerifyFlags): Promise<void> {
  const file = requireStoreFile('verify', place);
  await using store = await openStore(file, { mayCreate: false });
  const findings = await verify(store);
  const totals = await store.totals();
  const terminal = openTerminal();
  if (json) terminal.print(`${safeJson({ file: redactLocation(file), ...totals, findings })}\n`);
  else {
    terminal.print(findings.map((finding) => `${oneLine(finding)}\n`).join(''));
    const sizes = [plural(totals.traces, 'trace'), plural(totals.blocks, 'block'), plural(totals.blobs, 'blob')];
    const verdict = findings.length === 0 ? 'all is right' : `findings: ${findings.length}`;
    terminal.print(`${redactLocation(file)}: ${sizes.join(', ')}; ${verdict}\n`);
  }
  if (findings.length > 0) process.exitCode = EXIT.failed;
}

function verify(store: TraceStore): Promise<readonly string[]> {
  const progress = createProgressBar(countUnit('trace'));
  return store.verify(progress.show).finally(() => progress[Symbol.dispose]());
}
