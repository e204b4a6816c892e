import { join } from 'node:path';
import { type AuditReport, replayFinding } from '../../audit/index.ts';
import { maskableSecrets } from '../../core/index.ts';
import { createClientForApi, recordEpisode } from '../../trace/client/index.ts';
import { openClient, type TrialTarget } from '../../trial/index.ts';
import { openTraceAccess } from '../traces/open-traces.ts';

/** Name of the run in the trace store. */
const RUN = 'audit';

/** Replays all proofs of a report, and records them in a trace store in the folder. Returns the path of the store. */
export async function recordProofs(
  target: TrialTarget,
  { findings }: AuditReport,
  folder: string,
  {
    secrets = {},
    timeoutMs,
    signal,
  }: { secrets?: Readonly<Record<string, string>> | undefined; timeoutMs: number; signal: AbortSignal },
): Promise<string> {
  const db = join(folder, 'traces.db');
  await using opened = await openClient(target, timeoutMs);
  await using access = await openTraceAccess({ org: 'default', db }, { mayCreate: true, signal });
  const traces = createClientForApi(access.api, { onError: () => {}, secrets: maskableSecrets(secrets) });
  try {
    for (const finding of findings.filter(({ kind }) => kind === 'proof')) {
      const { attack, title, what, advice, environment } = finding;
      await replayFinding(opened.client, finding, {
        secrets,
        timeoutMs,
        signal,
        wrap: (session, { split, index }) =>
          recordEpisode(
            session,
            traces.createTrace({
              name: `${attack} ${title}`,
              run: RUN,
              environment,
              split,
              task_index: index,
              metadata: { attack, what, advice },
            }),
          ),
      });
    }
  } finally {
    await traces.close();
  }
  return db;
}
