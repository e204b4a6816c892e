import { escapeRegExp } from '../../core/index.ts';
import { type CallEvidence, type EpisodeRun, runsOf, type UntestedReason, uniqueBy } from '../evidence.ts';
import type { ValidationRule } from '../finding.ts';
import { formatCall, truncateLine } from '../finding.ts';

const noTerminalTool: UntestedReason = (evidence) =>
  runsOf(evidence).some(({ run }) => run.terminalTool !== undefined)
    ? undefined
    : 'the environment has no terminal tool';

/** Rules about tools that grade the final message of an agent. */
export const finalMessageRules: readonly ValidationRule[] = [
  {
    name: 'final-messages-are-graded',
    // Some trainers add up rewards, and ask for another message.
    levels: ['warning'],
    sentence: 'The terminal tool accepts every text, returns a reward and finishes the episode',
    explanation:
      'Every episode ends with some message, also with an empty one: a refusal leaves it without a reward. ' +
      'The terminal tool receives such messages. Accept every text, return a number, and finish the ' +
      'episode.',
    untested: noTerminalTool,
    *check(evidence) {
      const found = runsOf(evidence).flatMap(({ run, ...position }) =>
        answersOf(run).flatMap((step) => {
          const problem = problemOf(step);
          return problem ? [{ ...position, step, problem }] : [];
        }),
      );
      for (const { split, index, step, problem } of uniqueBy(found, (each) => each.problem.kind)) {
        yield { split, index, message: `${formatCall(step)} ${problem.text}` };
      }
    },
  },
  {
    name: 'prompts-name-listed-tools',
    levels: ['warning'],
    sentence: 'No prompt names the terminal tool, which agents do not see',
    explanation:
      'Agents do not see the terminal tool, and waste turns on a call that does not exist. Ask for a ' +
      'message with the answer instead.',
    untested: noTerminalTool,
    *check({ splits }) {
      for (const { name: split, tasks } of splits) {
        for (const { index, runs } of tasks) {
          const { prompt, terminalTool } = runs.find(({ kind }) => kind === 'idle') ?? {};
          if (!prompt || terminalTool === undefined || !namesTool(prompt.text, terminalTool)) continue;
          const advice = 'ask for a message with the answer, which the tool receives';
          const message = `the prompt names '${terminalTool}', which is not in the list of tools; ${advice}`;
          yield { split, index, message };
          break;
        }
      }
    },
  },
];

/** Returns the calls of the terminal tool before the end of the episode. */
const answersOf = ({ steps, terminalTool }: EpisodeRun): CallEvidence[] =>
  steps.filter(({ tool, isAfterEnd }) => tool === terminalTool && !isAfterEnd);

/** Returns what is wrong with the result of an answer; `tools-answer` reports failures. */
function problemOf({ outcome, text, reason, reward, finished }: CallEvidence) {
  if (outcome === 'refused' && reason !== 'episode_finished') {
    const advice = 'accept every text, and reward a message without an answer with 0';
    const why = `was refused, so that such a message has no reward at all: ${truncateLine(text)}`;
    return { kind: 'refused', text: `${why}; ${advice}` };
  }
  if (outcome !== 'output') return undefined;
  if (reward === null) {
    const why = 'returned no reward, but trainers use the reward of the final message';
    return { kind: 'reward', text: `${why}; return a number, such as 0` };
  }
  if (finished) return undefined;
  const why = 'did not finish the episode, but agents end with their message';
  return { kind: 'finished', text: `${why}; return finished: true` };
}

/** Returns whether a text mentions a tool, and not only a word that is spelled in the same way. */
function namesTool(text: string, tool: string): boolean {
  const name = escapeRegExp(tool);
  const isWord = /^[a-z]+$/i.test(tool);
  const mentions = [`[\`'"]${name}[\`'"]`, `\\b${name}\\(`, `\\btool ${name}\\b`, `\\b${name} tool\\b`];
  return new RegExp(isWord ? mentions.join('|') : `(?<![\\w-])${name}(?![\\w-])`).test(text);
}
