import { equalJson, fieldsOf, isRecord, previewJson } from '../../../core/index.ts';
import { assertConforms, assume, assumeApplicable } from '../../assertions.ts';
import { defineChecks, fixtureCheck } from '../../check.ts';
import type { ProbeEpisode, ProbeResponse } from '../../probe/index.ts';
import {
  assertCallSuccess,
  assertClientError,
  assertStatus,
  assumeEventStream,
  describeCallOutcome,
  requireText,
} from '../responses.ts';
import { assumeScoresGroups, episodeWithout, toolList } from './announced.ts';

export const scoreGroupChecks = defineChecks({ profile: 'core', needs: ['task'] }, [
  {
    id: 'group/announced',
    title: 'supports_score_group is a boolean, and message_block_types begins with text and image',
    requirement: 'ORS-EXT-035',
    profile: 'discovery',
    needs: [],
    async run(probe) {
      const { supports_score_group: supports = null, message_block_types: types = null } = await toolList(probe);
      assumeApplicable(supports !== null || types !== null, 'the server announces neither');
      const isFlag = supports === null || typeof supports === 'boolean';
      assertConforms(isFlag, `supports_score_group is ${previewJson(supports)}`);
      const areNames = types === null || (Array.isArray(types) && types.every((type) => typeof type === 'string'));
      const begins = types === null || equalJson([...(types as unknown[])].slice(0, 2), ['text', 'image']);
      assertConforms(areNames && begins, `message_block_types is ${previewJson(types)}`);
    },
  },
  {
    id: 'group/unsupported',
    title: 'POST /score_group of an environment that cannot compare rollouts returns 404',
    requirement: 'ORS-EXT-014',
    cost: { sessions: 1 },
    async run(probe) {
      const episode = await episodeWithout(probe, 'supports_score_group', 'group scoring');
      const response = await episode.score([candidate('1')]).end();
      assertStatus(response, 404, `/score_group of '${episode.environment}', which cannot compare rollouts,`);
    },
  },
  fixtureCheck({
    id: 'group/scores',
    title: 'POST /score_group returns one score per candidate, in order, after task_id',
    requirement: 'ORS-EXT-015',
    tools: [],
    calls: 0,
    async play(episode, probe) {
      await assumeScoresGroups(probe);
      const rewards = [0.75, -2, 0.25, 1.5];
      const response = await episode.score(rewards.map((reward) => candidate(String(reward), { reward }))).end();
      const [first] = response.events;
      assertConforms(first?.event === 'task_id', `/score_group returned ${describeCallOutcome(response)}`);
      const scores = scoresOf(response);
      assertConforms(scores.length === rewards.length, `${rewards.length} candidates got ${scores.length} scores`);
      const found = scores.map(({ reward }) => reward);
      const what = `candidates with ${previewJson(rewards)} were scored with ${previewJson(found)}`;
      assertConforms(equalJson(found, rewards), what);
      const wrong = scores.find(({ metadata = null }) => metadata !== null && !isRecord(metadata));
      assertConforms(!wrong, `the metadata of a score is ${previewJson(wrong?.metadata)}`);
      assertConforms(scoresOf(await episode.score([]).end()).length === 0, 'no candidates got scores');
    },
  }),
  fixtureCheck({
    id: 'group/failure',
    title: 'A scoring that throws, or returns too few scores, is an error event, and the session is still usable',
    requirement: 'ORS-EXT-016',
    tools: ['count'],
    async play(episode, probe) {
      await assumeScoresGroups(probe);
      for (const word of ['throw', 'short']) {
        const response = await episode.score([candidate('1'), candidate(word)]).end();
        assumeEventStream(response);
        const isReported = response.streamError !== undefined && response.resultText === undefined;
        assertConforms(isReported, `a scoring of the kind '${word}' returned ${describeCallOutcome(response)}`);
      }
      assertCallSuccess(await episode.start('count').end(), 'after scorings that failed, a call');
    },
  }),
  fixtureCheck({
    id: 'group/not-finite',
    title: 'A score that is not a finite number is an error event',
    requirement: 'ORS-EXT-017',
    tools: [],
    calls: 0,
    async play(episode, probe) {
      await assumeScoresGroups(probe);
      const response = await episode.score([candidate('1'), candidate('nan')]).end();
      assumeEventStream(response);
      const isReported = response.streamError !== undefined;
      assertConforms(isReported, `a score that is not a number arrived as ${describeCallOutcome(response)}`);
    },
  }),
  fixtureCheck({
    id: 'group/resume',
    title: 'A scoring that is repeated with its task_id returns the same scores, and ran once',
    requirement: 'ORS-EXT-018',
    tools: [],
    calls: 0,
    async play(episode, probe) {
      await assumeScoresGroups(probe);
      const { taskId, resultText } = await score(episode, '0.5');
      const again = await episode.score([candidate('0.5')], { taskId }).end();
      const isSame = again.resultText === resultText;
      assertConforms(isSame, `the repeated scoring returned ${describeCallOutcome(again)} instead of ${resultText}`);
      const next = scoringsIn(await score(episode, '0.5'));
      assertConforms(next === 2, `after a scoring and its repetition, the next one was number ${next}`);
    },
  }),
  fixtureCheck({
    id: 'group/other-session',
    title: 'The task_id of a scoring does not return its scores to another session',
    requirement: 'ORS-EXT-019',
    tools: [],
    sessions: 2,
    calls: 0,
    async run(probe) {
      await assumeScoresGroups(probe);
      const { taskId, resultText } = await score(await probe.episode(), '0.5');
      const foreign = await probe.episode();
      // Its own scoring has another number.
      await score(foreign, '0.5');
      const response = await foreign.score([candidate('0.5')], { taskId }).end();
      const isOther = response.resultText !== resultText;
      assertConforms(isOther, `another session got the scores ${response.resultText}`);
    },
  }),
  fixtureCheck({
    id: 'group/after-finish',
    title: 'A scoring does not finish the episode, and works after a tool has',
    requirement: 'ORS-EXT-020',
    tools: ['count', 'finish'],
    calls: 3,
    async play(episode, probe) {
      await assumeScoresGroups(probe);
      await episode.text('count');
      await score(episode, '1');
      const counted = await episode.start('count').end();
      assertCallSuccess(counted, 'after a scoring, a call');
      assertConforms(requireText(counted) === '2', `after a scoring, the count continued with ${counted.outputText}`);
      await episode.call('finish');
      const response = await episode.score([candidate('1')]).end();
      const isScored = response.failure === undefined && response.resultText !== undefined;
      assertConforms(isScored, `after finished true, /score_group returned ${describeCallOutcome(response)}`);
    },
  }),
  {
    id: 'group/invalid-body',
    title:
      'POST /score_group rejects candidates that are missing, not a list, or have blocks that their role may not have',
    requirement: 'ORS-EXT-021',
    cost: { sessions: 1 },
    async run(probe) {
      await assumeScoresGroups(probe);
      const episode = await probe.episode();
      const misplaced = { role: 'user', blocks: [{ type: 'reasoning', text: 'hm' }] };
      for (const wrong of [undefined, 'none', [{}], [{ messages: [misplaced] }], [{ messages: [{ role: 'user' }] }]]) {
        const response = await episode.score(wrong).end();
        assertClientError(response, `/score_group with the candidates ${previewJson(wrong ?? null)}`);
      }
    },
  },
]);

/** A rollout whose final message is this text. */
const candidate = (text: string, metadata: Record<string, unknown> | null = null) => ({
  messages: [
    { role: 'assistant', blocks: [{ type: 'reasoning', text: 'hm', signature: null, detail: null }], detail: null },
    { role: 'assistant', blocks: [{ type: 'text', text, detail: null }], detail: null },
  ],
  metadata,
});

/** Scores one candidate. @throws UntestableError if that fails */
async function score(episode: ProbeEpisode, text: string) {
  const response = await episode.score([candidate(text)]).requireComplete();
  const { taskId, resultText } = response;
  assume(taskId && resultText !== undefined, `/score_group returned ${describeCallOutcome(response)}`);
  return { taskId, resultText, response };
}

function scoresOf(response: ProbeResponse): readonly Readonly<Record<string, unknown>>[] {
  const { scores } = fieldsOf(response.result);
  assertConforms(Array.isArray(scores), `/score_group returned ${describeCallOutcome(response)}`);
  return scores.map(fieldsOf);
}

/** Returns the number of the scoring in its episode, which the fixture tells. */
const scoringsIn = ({ response }: Awaited<ReturnType<typeof score>>): unknown =>
  fieldsOf(scoresOf(response)[0]?.metadata).scorings;
