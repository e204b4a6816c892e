import { oneLine, plural } from '../../core/index.ts';
import type { TraceStore } from '../../trace/store/index.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../failure.ts';
import { countUnit, createProgressBar } from '../terminal/progress.ts';
import { openTerminal, safeJson } from '../terminal/terminal.ts';
import { openStore, redactLocation, requireStoreFile } from '../traces/open-store.ts';
import { reportTraceFailure, storeFileFlags } from '../traces/open-traces.ts';

export const tracesVerifyCommand = defineCommand({
  name: 'verify',
  flags: { ...storeFileFlags, '--json': 'print one JSON document' },
  details: `Checks every block against the rules and the counters of its trace, and every blob against its SHA-256; SQLite checks its
file. Changes nothing; servers may continue meanwhile.`,
  exitCodes: { 0: 'no inconsistency was found', 1: 'something is inconsistent' },
  examples: ['ors traces verify --db traces.db', 'ors traces verify --db traces.db --json | jq .findings'],
  report: reportTraceFailure,
  async run({ json, ...place }) {
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
  },
});

async function verify(store: TraceStore): Promise<readonly string[]> {
  using progress = createProgressBar(countUnit('trace'));
  return await store.verify(progress.show);
}
