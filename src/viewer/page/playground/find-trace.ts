import type { Trace } from '../../../../generated/trace.ts';
import { answerOf, api } from '../api/store.ts';
import { type Played, RUN } from './episode.ts';

/** The Date of an answer has whole seconds. */
const DATE_STEP_MS = 1_000;
const PAUSES_MS = [0, 300, 700, 1_500, 3_000];

/** Traces that other episodes of this page were recorded as. */
const taken = new Set<string>();

export interface Recorded {
  readonly organization: string;
  readonly trace: Trace;
}

/** The trace that the server writes of an episode; undefined where it cannot be found. */
export async function findTrace(played: Played, at: Date, signal: AbortSignal): Promise<Recorded | undefined> {
  const { organization } = await answerOf(api.getAccess({ signal }));
  for (const pause of PAUSES_MS) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (signal.aborted) return undefined;
    const trace = await newest(organization, played, at, signal);
    if (trace) {
      taken.add(trace.id);
      return { organization, trace };
    }
  }
  return undefined;
}

async function newest(org: string, { environment, split, index }: Played, at: Date, signal: AbortSignal) {
  const created_after = new Date(at.getTime() - DATE_STEP_MS).toISOString().replace('Z', '000Z');
  const query = { run: RUN, environment, split, created_after, limit: 100 };
  const { traces } = await answerOf(api.listTraces({ params: { path: { org }, query }, signal }));
  return traces.find(({ id, task_index }) => task_index === index && !taken.has(id));
}
