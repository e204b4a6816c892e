import { type RemoteEnvironment, ScoreGroupUnsupportedError } from '../../client/index.ts';
import {
  type Backoff,
  backoffMs,
  definedFields,
  errorMessage,
  groupBy,
  PendingPromises,
  Semaphore,
  sleep,
} from '../../core/index.ts';
import type { Message } from '../../protocol/index.ts';
import type { EpisodeRecord } from '../episode/episode-record.ts';
import type { GroupRecord } from './run-files.ts';
import type { RunFolder } from './run-folder.ts';
import type { RunTraces } from './run-traces.ts';

/** Options of `createGroupScorer`. */
export interface GroupScorerOptions {
  readonly environment: RemoteEnvironment;
  readonly folder: RunFolder;
  readonly secrets: Readonly<Record<string, string>>;
  readonly concurrency: number;
  /** Maximum number of attempts of a comparison. */
  readonly attempts: number;
  readonly traces: Pick<RunTraces, 'addMetadata'> | undefined;
  /** Redacts secrets in reasons of failures. */
  redact(text: string): string;
  /** Receives warnings. */
  readonly onNotice: ((notice: string) => void) | undefined;
  /** Called when a comparison begins or ends. */
  readonly onChange: () => void;
  /** Interrupts the comparisons, which a resumed run repeats. */
  readonly signal: AbortSignal;
}

/** Episode of a group that may be compared. */
interface Sample {
  readonly messages: readonly Message[];
  readonly traceId: string | null;
}

/** A comparison may cost many requests to a judge. */
const MAX_CONCURRENT = 8;
/** Delays between attempts of a comparison. */
const SCORE_BACKOFF: Backoff = { firstMs: 1_000, longestMs: 30_000 };

/**
 * Creates the part of a run that requests comparative rewards, if the environment has them: for each task whose samples
 * have all ended, also in an earlier part of the run. A comparison that fails leaves its group without such rewards.
 */
export function createGroupScorer(options: GroupScorerOptions) {
  const { folder, concurrency, signal, onChange } = options;
  const { plan } = folder;
  const records = new Map(folder.groups.map((record) => [record.task, record]));
  const samples = new Map<number, Map<number, Sample>>();
  const slots = new Semaphore(Math.min(concurrency, MAX_CONCURRENT));
  const running = new PendingPromises();
  let comparing = 0;
  let failure: { readonly error: unknown } | undefined;

  const score = async (task: number, group: readonly Sample[]): Promise<void> => {
    comparing += 1;
    try {
      onChange();
      await scoreInTurn(task, group);
    } finally {
      comparing -= 1;
      onChange();
    }
  };

  const scoreInTurn = async (task: number, group: readonly Sample[]): Promise<void> => {
    if (!(await slots.acquire({ signal }))) return;
    try {
      const record = await requestScores(options, task, group);
      await folder.addGroup(record);
      records.set(task, record);
      await addToTraces(options, record, group);
    } finally {
      slots.release();
    }
  };

  const add = ({ task, sample, trace_id }: EpisodeRecord, messages: readonly Message[]): void => {
    const group = samples.get(task) ?? new Map<number, Sample>();
    samples.set(task, group.set(sample, { messages, traceId: trace_id }));
    if (group.size < plan.samples) return;
    samples.delete(task);
    const inOrder = [...group].sort(([one], [other]) => one - other).map(([, each]) => each);
    const scoring = score(task, inOrder).catch((error: unknown) => {
      failure ??= { error };
    });
    void running.add(scoring);
  };

  return {
    /** Adds an episode that has ended, and its messages after the prompt. */
    add,
    /** Adds the episodes of earlier parts of the run whose groups have no rewards. */
    addCompleted(): void {
      const known = new Map(folder.candidates.map((candidate) => [`${candidate.task}/${candidate.sample}`, candidate]));
      for (const [task, group] of groupBy(folder.completed, (record) => record.task)) {
        if (records.get(task)?.rewards) continue;
        for (const record of group) {
          const candidate = known.get(`${record.task}/${record.sample}`);
          if (candidate) add(record, candidate.messages);
        }
      }
    },
    /** Returns the number of groups that are being compared, or wait for it. */
    comparing: (): number => comparing,
    /** Waits for the running comparisons. @throws the signal's reason; errors of the folder. */
    async settled(): Promise<void> {
      await running.settled();
      if (failure) throw failure.error;
    },
    /** Returns the last comparison of each group. */
    records: (): readonly GroupRecord[] => [...records.values()],
  };
}

async function requestScores(
  options: GroupScorerOptions,
  task: number,
  group: readonly Sample[],
): Promise<GroupRecord> {
  const { attempts, signal, redact } = options;
  const at = () => new Date().toISOString();
  for (let attempt = 1; ; attempt++) {
    try {
      const scores = await compare(options, task, group);
      const rewards = scores.map(({ reward }) => reward);
      return { task, rewards, metadata: scores.map(({ metadata = null }) => metadata), error: null, at: at() };
    } catch (error) {
      signal.throwIfAborted();
      if (attempt >= attempts || error instanceof ScoreGroupUnsupportedError) {
        return { task, rewards: null, metadata: null, error: redact(errorMessage(error)), at: at() };
      }
      await sleep(backoffMs(attempt - 1, SCORE_BACKOFF), signal);
    }
  }
}

/** Compares the episodes of a group in a new session of their task. */
async function compare(
  { environment, folder: { plan }, secrets, signal }: GroupScorerOptions,
  task: number,
  group: readonly Sample[],
) {
  const { split, toolset } = plan;
  const options = { secrets, signal, ...definedFields({ toolset }) };
  await using session = await environment.session({ split, index: task }, options);
  // Many environments in Python prepare their state when the prompt is read.
  await session.messages({ signal });
  return await session.scoreGroup(
    group.map(({ messages }) => messages),
    { signal },
  );
}

/** Adds the rewards to the traces of the episodes, where exports and the viewer find them. */
async function addToTraces(
  { traces, onNotice, redact }: GroupScorerOptions,
  record: GroupRecord,
  group: readonly Sample[],
) {
  if (!traces || !record.rewards) return;
  try {
    for (const [index, { traceId }] of group.entries()) {
      if (traceId !== null) await traces.addMetadata(traceId, { group_reward: record.rewards[index] ?? null });
    }
  } catch (error) {
    onNotice?.(`the traces of task ${record.task} have no group rewards: ${redact(errorMessage(error))}`);
  }
}
