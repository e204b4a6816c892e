import type { Mutant } from '../mutant.ts';
import { bodyOf, refusal, sidOf, withBody, withHeaders } from '../sessions/change.ts';
import { eventOf, frameOf } from '../streams/frames.ts';
import { changedFrames, isFor, type Wire, type WireRequest } from '../wire.ts';
import { changedLists } from './change.ts';

interface Scores {
  readonly scores: readonly { readonly reward: number; readonly metadata: object | null }[];
}

const isScoring = (request: WireRequest) => isFor(request, 'score_group');

/** Changes the results of group scorings. */
const changedScores = (
  change: (scores: Scores['scores'], request: WireRequest) => unknown,
): NonNullable<Wire['frames']> =>
  changedFrames((frame, request) => {
    const { event, data = '' } = eventOf(frame) ?? {};
    if (event !== 'end' || !isScoring(request)) return frame;
    return frameOf('end', JSON.stringify({ scores: change((JSON.parse(data) as Scores).scores, request) }));
  });

/** Converts error events of group scorings whose body matches. */
const changedErrors = (pattern: RegExp, scores: readonly unknown[]): NonNullable<Wire['frames']> =>
  changedFrames((frame, request) =>
    isScoring(request) && eventOf(frame)?.event === 'error' && pattern.test(String(request.body))
      ? frameOf('end', JSON.stringify({ scores }))
      : frame,
  );

/** Passes the streams of scorings on, and tells their ids. */
const tellIds = (tell: (taskId: string, request: WireRequest) => void): NonNullable<Wire['frames']> =>
  changedFrames((frame, request) => {
    const { event, data = '' } = eventOf(frame) ?? {};
    if (event === 'task_id' && isScoring(request)) tell(data, request);
    return frame;
  });

const taskIdOf = (request: WireRequest) => String(bodyOf(request).task_id ?? '');

export const scoreGroupMutants: readonly Mutant[] = [
  {
    name: 'the types of blocks are announced in another order',
    caughtBy: ['group/announced'],
    wire: () => ({
      answer: async (answer, request) => {
        const list = changedLists((each) => ({ ...each, message_block_types: ['image', 'text'] }));
        return await list(answer, request);
      },
    }),
  },
  {
    name: 'group scoring that is not supported is a method that is not allowed',
    caughtBy: ['group/unsupported'],
    wire: () => ({
      answer: (answer, request) =>
        isScoring(request) && request.path.startsWith('/other/') && answer.status === 404
          ? { ...answer, status: 405, headers: { ...answer.headers, allow: 'GET' } }
          : answer,
    }),
  },
  {
    name: 'scores are sorted',
    caughtBy: ['group/scores'],
    wire: () => ({ frames: changedScores((scores) => scores.toSorted((a, b) => b.reward - a.reward)) }),
  },
  {
    name: 'the last of several scores is missing',
    caughtBy: ['group/scores'],
    wire: () => ({ frames: changedScores((scores) => (scores.length > 2 ? scores.slice(0, -1) : scores)) }),
  },
  {
    name: 'a scoring that fails scores zeros',
    caughtBy: ['group/failure'],
    wire: () => ({ frames: changedErrors(/"throw"/, [{ reward: 0, metadata: null }]) }),
  },
  {
    name: 'too few scores are passed on',
    caughtBy: ['group/failure'],
    wire: () => ({ frames: changedErrors(/"short"/, [{ reward: 1, metadata: null }]) }),
  },
  {
    name: 'a score that is not a number arrives as null',
    caughtBy: ['group/not-finite'],
    wire: () => ({ frames: changedErrors(/"nan"/, [{ reward: null, metadata: null }]) }),
  },
  {
    name: 'a scoring that is repeated runs again',
    caughtBy: ['group/resume'],
    wire: () => ({
      request: (request) =>
        isScoring(request) && taskIdOf(request) !== ''
          ? withBody(request, { ...bodyOf(request), task_id: undefined })
          : request,
    }),
  },
  {
    name: 'the scores of a scoring are available to every session',
    caughtBy: ['group/other-session'],
    wire: () => {
      const owners = new Map<string, string>();
      return {
        request: (request) => {
          const owner = isScoring(request) ? owners.get(taskIdOf(request)) : undefined;
          return owner === undefined ? request : withHeaders(request, { 'x-session-id': owner });
        },
        frames: tellIds((taskId, request) => void (owners.has(taskId) || owners.set(taskId, sidOf(request)))),
      };
    },
  },
  {
    name: 'group scoring is refused after finished true',
    caughtBy: ['group/after-finish'],
    wire: () => {
      const finished = new Set<string>();
      return {
        request: (request) => {
          if (isFor(request, 'call') && bodyOf(request).name === 'finish') finished.add(sidOf(request));
          return isScoring(request) && finished.has(sidOf(request)) ? refusal(410) : request;
        },
      };
    },
  },
  {
    name: 'candidates with misplaced blocks are scored',
    caughtBy: ['group/invalid-body'],
    wire: () => ({
      request: (request) => {
        const { candidates } = bodyOf(request);
        const isMeant = isScoring(request) && JSON.stringify(candidates)?.includes('"role":"user"');
        return isMeant ? withBody(request, { candidates: [] }) : request;
      },
    }),
  },
];
