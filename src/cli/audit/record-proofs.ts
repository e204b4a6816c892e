import { join } from 'node:path';
import { type AuditReport, replayFinding } from '../../audit/index.ts';
import { deadlineSignal, maskableSecrets } from '../../core/index.ts';
import { createClientForApi, recordEpisode } from '../../trace/client/index.ts';
import { openClient, type TrialTarget } from '../../trial/index.ts';
import { openTraceAccess } from '../traces/open-traces.ts';

/** Name of the run in the trace store. */
const RUN = 'audit';

interface RecordSettings {
  readonly secrets?: Readonly<Record<string, string>> | undefined;
  readonly timeoutMs: number;
  readonly ownsEnvironment: boolean;
  readonly signal: AbortSignal;
  /** Time after which no further proof is replayed. */
  readonly leftMs: number;
}

/** Replays the proofs of a report, and records them in a trace store in the folder. Returns the path of the store. */
export async function recordProofs(
  target: TrialTarget,
  { findings }: AuditReport,
  folder: string,
  { secrets = {}, leftMs, signal, ...options }: RecordSettings,
): Promise<string> {
  const db = join(folder, 'traces.db');
  const deadline = deadlineSignal(leftMs, () => new Error('the budget ended'), signal);
  await using opened = await openClient(target, options.timeoutMs);
  await using access = await openTraceAccess({ org: 'default', db }, { mayCreate: true, flag: '--report', signal });
  const traces = createClientForApi(access.api, { onError: () => {}, secrets: maskableSecrets(secrets) });
  try {
    for (const finding of findings.filter(({ kind }) => kind === 'proof')) {
      const { attack, title, what, advice, environment } = finding;
      await replayFinding(opened.client, finding, {
        ...options,
        secrets,
        isLiteral: true,
        signal: deadline.signal,
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
  } catch (error) {
    // The other proofs are in the folder of findings.
    if (!deadline.isTimedOut) throw error;
  } finally {
    deadline.release();
    await traces.close();
  }
  return db;
}
