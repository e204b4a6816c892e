import type { OrsClient } from '../client/index.ts';
import { isRecord } from '../core/index.ts';
import type { AuditFinding, AuditReplay, SessionWrapper } from './options.ts';
import { createTranscriptPlayer } from './play-transcript.ts';

/**
 * Options of `replayFinding`.
 *
 * @example
 * const options: ReplayOptions = { secrets: { api_key: key }, timeoutMs: 10_000 };
 */
export interface ReplayOptions {
  /** Secrets for the sessions. @default none */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Timeout of one response, in milliseconds. @default 30_000 */
  readonly timeoutMs?: number;
  /** Wraps each session, for example to record it. */
  readonly wrap?: (session: Parameters<SessionWrapper>[0], replay: AuditReplay) => ReturnType<SessionWrapper>;
  readonly signal?: AbortSignal;
}

/**
 * Result of replaying a finding on one task.
 *
 * @example
 * const stillPays = (replayed: ReplayResult[]) => replayed.some(({ isReproduced }) => isReproduced);
 */
export interface ReplayResult extends AuditReplay {
  /** Reward that the report has for this task. */
  readonly expected: number;
  /** True if the reward is at least as high as in the report, except for rounding errors. */
  readonly isReproduced: boolean;
}

const TOLERANCE = 1e-6;

/**
 * Replays the transcripts of a finding in new sessions.
 *
 * @throws OrsConnectionError if the server cannot be reached.
 * @example
 * const finding = parseFinding(JSON.parse(await readFile('finding.json', 'utf8')));
 * const replayed = await replayFinding(client, finding);
 */
export async function replayFinding(
  client: OrsClient,
  { environment, replays }: AuditFinding,
  { secrets = {}, timeoutMs = 30_000, wrap, signal = new AbortController().signal }: ReplayOptions = {},
): Promise<ReplayResult[]> {
  const results: ReplayResult[] = [];
  for (const replay of replays) {
    const budget = { endsAt: Number.POSITIVE_INFINITY, maxSessions: Number.POSITIVE_INFINITY, sessions: 0, calls: 0 };
    const wrapSession: SessionWrapper | undefined = wrap && ((session) => wrap(session, replay));
    const settings = { secrets, timeoutMs, signal, budget, wrap: wrapSession };
    const play = createTranscriptPlayer(client.environment(environment), settings);
    const { reward, calls } = await play(replay, replay.steps);
    const isReproduced = reward >= replay.reward - TOLERANCE;
    results.push({ ...replay, calls, reward, expected: replay.reward, isReproduced });
  }
  return results;
}

/**
 * Parses the JSON of a finding.
 *
 * @throws TypeError if it is not a finding of `audit`.
 * @example
 * const finding = parseFinding(JSON.parse(await readFile('finding.json', 'utf8')));
 */
export function parseFinding(value: unknown): AuditFinding {
  const isFinding =
    isRecord(value) &&
    typeof value.environment === 'string' &&
    typeof value.attack === 'string' &&
    Array.isArray(value.replays) &&
    value.replays.every(
      (replay) => isRecord(replay) && typeof replay.split === 'string' && Array.isArray(replay.steps),
    );
  if (!isFinding)
    throw new TypeError('invalid finding: expected a JSON file of ors audit, with environment and replays');
  // The transcripts are validated when they are played.
  return value as unknown as AuditFinding;
}
