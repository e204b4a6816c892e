import { isRecord } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import type { ProbeEpisode, ProbeResponse } from '../../probe/index.ts';
import { assertConforms, assumeApplicable } from '../../verdict.ts';
import { assumeEventStream, describeCallOutcome, isRejected } from './reading.ts';
import { callableTools, collectInvalidInputs, type InvalidInput } from './trials.ts';

const MAX_TOOLS = 12;
const MAX_INPUTS = 5;

async function ensureRefused(episode: ProbeEpisode, { tool, example }: InvalidInput): Promise<void> {
  const response = await episode.start(tool.name, example.value).end();
  const what = `'${tool.name}' with ${JSON.stringify(example.value)} (${example.what})`;
  assertConforms(isRejected(response), `${what} was answered with ${describeCallOutcome(response)}`);
}

/** Inputs of any tools, made out of their schemas. */
export const inputChecks: readonly ConformanceCheck[] = [
  {
    id: 'call/missing-parameter',
    title: 'A call without a required parameter is reported',
    requirement: 'ORS-CALL-010',
    profile: 'core',
    needs: ['call'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const [trial] = (await collectInvalidInputs(probe, MAX_TOOLS)).filter(({ example }) => example.isMissingRequired);
      assumeApplicable(trial, 'no tool has a required parameter');
      await ensureRefused(await probe.episode(), trial);
    },
  },
  {
    id: 'call/invalid-input',
    title: 'Inputs of a wrong type, beyond a bound or outside of an enum are rejected',
    requirement: 'ORS-CALL-028',
    profile: 'core',
    needs: ['call'],
    cost: { sessions: 1, calls: 3 },
    async run(probe) {
      const trials = (await collectInvalidInputs(probe, 3)).filter(({ example }) => !example.isMissingRequired);
      const first = trials.filter(({ tool }, index) => trials.findIndex((each) => each.tool === tool) === index);
      assumeApplicable(first.length > 0, 'the first tools have no parameter that could be of a wrong type');
      const episode = await probe.episode();
      for (const trial of first) await ensureRefused(episode, trial);
    },
  },
  {
    id: 'call/invalid-inputs',
    title: 'No tool accepts an input that does not match its input_schema',
    requirement: 'ORS-CALL-028',
    profile: 'full',
    needs: ['call'],
    cost: { sessions: 1, calls: MAX_TOOLS * MAX_INPUTS },
    async run(probe) {
      const trials = await collectInvalidInputs(probe, MAX_TOOLS);
      assumeApplicable(trials.length > 0, 'no tool has a parameter');
      const episode = await probe.episode();
      for (const tool of new Set(trials.map((each) => each.tool))) {
        const own = trials.filter((each) => each.tool === tool).slice(0, MAX_INPUTS);
        for (const trial of own) await ensureRefused(episode, trial);
      }
    },
  },
  {
    id: 'call/valid-inputs',
    title: 'A valid input is never answered with a failure of the server',
    requirement: 'ORS-CALL-046',
    profile: 'full',
    needs: ['call'],
    cost: { sessions: 6, calls: 24 },
    async run(probe) {
      for (const tool of (await callableTools(probe)).slice(0, 6)) {
        const { valid } = await probe.inputsOf(tool.inputSchema, { random: 3 });
        // One each, for a call may end it.
        const episode = await probe.episode();
        for (const { value } of [...valid.slice(0, 1), ...valid.slice(1).slice(-3)]) {
          const transfer = episode.start(tool.name, value);
          const response = await transfer.end();
          const what = `'${tool.name}' with ${JSON.stringify(value)}`;
          assumeEventStream(response);
          if (isLasting(response)) {
            probe.note(`${what} took longer than ${probe.timeoutMs / 1_000} s`);
            break;
          }
          assertConforms(isAnswered(response), `${what} was answered with ${describeCallOutcome(response)}`);
          if (response.streamError !== undefined)
            probe.note(`${what} was answered with ${describeCallOutcome(response)}`);
        }
      }
    },
  },
];

/** A tool may take long; then its stream has begun. */
const isLasting = ({ exchange, events }: ProbeResponse): boolean =>
  exchange.failure?.startsWith('no end within') === true && events.length > 0;

const isAnswered = ({ status, streamError, result, exchange }: ProbeResponse): boolean =>
  exchange.failure === undefined && status < 500 && (status >= 400 || streamError !== undefined || isRecord(result));
