import { isRecord, joinWords, jsonProblem } from '../core/index.ts';
import {
  blocksOf,
  type GroupScore,
  isContent,
  type JSONObject,
  type Message,
  type ScoreGroupCandidate,
} from '../protocol/index.ts';
import { OrsHttpError, ScoreGroupError, ScoreGroupUnsupportedError } from './errors.ts';
import { parseGroupScores, type ToolListExtras } from './responses.ts';
import { type ClientCallContext, ResumableRequest } from './resumable-request.ts';

/**
 * Rollout of a group: its messages, or an object with messages and metadata for the environment.
 *
 * @example
 * const candidate: GroupCandidate = [{ role: 'assistant', blocks: [{ type: 'text', text: 'Leaves fall.' }] }];
 */
export type GroupCandidate = readonly Message[] | ScoreGroupCandidate;

/** Scoring to request. */
export interface GroupScoring {
  readonly candidates: readonly GroupCandidate[];
  /** Task id that the client chose; undefined if the server chooses it. */
  readonly taskId: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Asserts that the server can read the blocks of the candidates.
 *
 * @throws ScoreGroupUnsupportedError that names the types of blocks which it does not know.
 */
export function assertReadable(
  candidates: readonly GroupCandidate[],
  { messageBlockTypes }: ToolListExtras,
  sid: string,
): void {
  const unknown = [...blockTypesOf(candidates)].filter((type) => !messageBlockTypes.includes(type));
  if (unknown.length === 0) return;
  const message = `the server cannot read blocks of type ${joinWords(unknown)} in candidates`;
  throw new ScoreGroupUnsupportedError(message, { sid });
}

/** Returns true if all blocks have types that every server knows. */
export const isPlain = (candidates: readonly GroupCandidate[]): boolean =>
  candidates.every((candidate) => messagesOf(candidate).every((message) => blocksOf(message).every(isContent)));

const blockTypesOf = (candidates: readonly GroupCandidate[]): ReadonlySet<string> =>
  new Set(candidates.flatMap((one) => messagesOf(one).flatMap(({ blocks }) => blocks.map(({ type }) => type))));

const messagesOf = (candidate: GroupCandidate): readonly Message[] =>
  isMessageList(candidate) ? candidate : candidate.messages;

// `Array.isArray` does not narrow a union with a readonly array.
const isMessageList = (candidate: GroupCandidate): candidate is readonly Message[] => Array.isArray(candidate);

/** @throws TypeError for candidates that are not lists of messages, or that JSON cannot represent. */
export function assertCandidates(candidates: unknown): void {
  if (!Array.isArray(candidates)) throw new TypeError('invalid candidates: expected an array');
  for (const [index, candidate] of candidates.entries()) {
    const messages = isRecord(candidate) ? candidate.messages : candidate;
    const isValid =
      Array.isArray(messages) && messages.every((message) => isRecord(message) && Array.isArray(message.blocks));
    if (isValid) continue;
    throw new TypeError(`invalid candidates[${index}]: expected messages, such as [{ role: 'assistant', blocks: [] }]`);
  }
  const problem = jsonProblem(candidates, 'candidates');
  if (problem) throw new TypeError(`${problem}, which JSON cannot represent`);
}

/**
 * Requests the comparative rewards of a group, over as many connections as that needs.
 *
 * @throws ScoreGroupUnsupportedError; ScoreGroupError; every other error of the client; the signal's reason.
 */
export async function scoreGroup(
  context: ClientCallContext,
  { candidates, taskId, signal }: GroupScoring,
): Promise<GroupScore[]> {
  const { sid, heartbeat } = context;
  const body = {
    candidates: candidates.map((candidate) => ({
      messages: [...messagesOf(candidate)],
      metadata: isMessageList(candidate) ? null : (candidate.metadata ?? null),
    })),
  };
  const request = new ResumableRequest(context, {
    operation: 'scoreGroup',
    // Messages are JSON; their types have optional fields, which JSONObject does not express.
    body: body as unknown as JSONObject,
    taskId,
    parse: (json, type) => ({ kind: 'scores' as const, scores: parseGroupScores(json, type, candidates.length) }),
    lostMessage: 'the scores of the group are lost, and it may have been scored',
    signal,
  });
  const response = await request.response().catch(async (error: unknown) => {
    if (!(error instanceof OrsHttpError)) throw error;
    const sessionError = await heartbeat.toSessionError(error);
    if (sessionError !== error || error.status !== 404) throw sessionError;
    const { status, detail } = error;
    const message = `the environment cannot compare rollouts: ${detail}`;
    throw new ScoreGroupUnsupportedError(message, { status, detail, sid, cause: error });
  });
  if (response.kind === 'scores') return response.scores;
  const { text } = response;
  await request.assertNotLost(text);
  throw new ScoreGroupError(`the group was not scored: ${text || 'the server returned no reason'}`, {
    detail: text,
    sid,
  });
}
