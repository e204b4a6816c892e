import { type RemoteEnvironment, ScoreGroupUnsupportedError, type TaskHandle } from '../../client/index.ts';
import type { Message } from '../../protocol/index.ts';
import { errorDetail, withDeadline } from '../../trial/index.ts';
import type { CallEvidence, EpisodeRun, GroupEvidence } from '../evidence.ts';
import type { ValidationSettings } from '../options.ts';

/** Number of runs to compare: judges may cost money. */
const MAX_RUNS = 3;

/**
 * Lets the environment compare runs of one task, in two orders.
 *
 * @returns undefined if there are not two runs to compare, or the environment cannot read them.
 */
export async function compareRuns(
  environment: RemoteEnvironment,
  { split, index }: Pick<TaskHandle, 'split' | 'index'>,
  runs: readonly EpisodeRun[],
  settings: ValidationSettings,
): Promise<GroupEvidence | undefined> {
  const comparable = runs.filter(({ kind, steps, repeats }) => kind !== 'invalid' && steps.length > 0 && !repeats);
  const candidates = comparable.slice(0, MAX_RUNS).map(toMessages);
  if (candidates.length < 2) return undefined;
  try {
    const { secrets } = settings;
    const open = (signal: AbortSignal) => environment.session({ split, index }, { secrets, signal });
    await using session = await withDeadline(settings, open);
    const score = async (list: readonly Message[][]) => {
      const scores = await withDeadline(settings, (signal) => session.scoreGroup(list, { signal }));
      return scores.map(({ reward }) => reward);
    };
    const rewards = await score(candidates);
    const reversed = await score(candidates.toReversed());
    return { rewards, reversed: reversed.toReversed() };
  } catch (error) {
    settings.signal.throwIfAborted();
    if (error instanceof ScoreGroupUnsupportedError) return undefined;
    return { failure: errorDetail(error), rewards: [], reversed: [] };
  }
}

/** Returns the calls of a run as the messages of an agent. */
const toMessages = ({ steps, terminalTool }: EpisodeRun): Message[] =>
  steps
    .filter(({ isAfterEnd }) => !isAfterEnd)
    .flatMap((step, position) => (step.tool === terminalTool ? toAnswer(step) : toTurn(step, `call_${position + 1}`)));

function toTurn({ tool: name, input, outcome, text }: CallEvidence, id: string): Message[] {
  const result = { tool_call_id: id, blocks: [{ type: 'text' as const, text }], is_error: outcome !== 'output' };
  return [
    { role: 'assistant', blocks: [{ type: 'tool_call', id, name, input }] },
    { role: 'user', blocks: [{ type: 'tool_result', ...result }] },
  ];
}

const toAnswer = ({ input }: CallEvidence): Message[] => [
  { role: 'assistant', blocks: [{ type: 'text', text: String(Object.values(input)[0] ?? '') }] },
];
