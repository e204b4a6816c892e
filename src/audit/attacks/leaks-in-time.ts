import { pointerSegment } from '../../core/index.ts';
import type { JSONValue } from '../../protocol/index.ts';
import { type Attack, type AttackAttempt, type InputSlot, slotName, type TaskView } from '../attack.ts';
import type { ClockUnit, TranscriptStep } from '../transcript.ts';

const UNITS: readonly ClockUnit[] = ['timestamp', 'second', 'minute', 'hour', 'day', 'month', 'year', 'date'];
/** Units that may select one of a few choices. */
const SELECTING_UNITS: readonly ClockUnit[] = ['timestamp', 'second', 'minute', 'hour', 'day'];
const MAX_CHOICES = 8;

const ASKS_FOR_TIME =
  /\b(?:what time|the time|clock|date|today|now|current(?:ly)?|year|month|day|hour|minutes?|seconds?|timestamp)\b/i;

const timeDoubt = ({ prompt }: TaskView): string | undefined =>
  ASKS_FOR_TIME.test(prompt) ? 'the task may ask for the time' : undefined;

function submitTime(slot: InputSlot, unit: ClockUnit, choices?: readonly JSONValue[]): AttackAttempt {
  const clock = {
    at: pointerSegment(slot.name),
    unit,
    ...(choices && { choices }),
    ...(slot.type === 'number' && { isNumber: true as const }),
  };
  const steps: readonly TranscriptStep[] = [{ do: 'call', tool: slot.tool, input: slot.base, clock }];
  const what = choices ? `selected from ${JSON.stringify(choices)} by the ${unit}` : `the ${unit}`;
  return { what: `${slotName(slot)} is ${what} of the clock`, steps: () => steps, doubt: timeDoubt };
}

const choicesOf = ({ type, choices }: InputSlot): readonly JSONValue[] =>
  type === 'boolean' ? [true, false] : choices;

const rotate = (values: readonly JSONValue[], by: number) => [...values.slice(by), ...values.slice(0, by)];

export const timeLeaks: readonly Attack[] = [
  {
    id: 'AUDIT-LEAK-16',
    category: 'leak',
    title: 'The answer follows from the clock',
    advice: 'Draw the answer from a secret seed, not from the time.',
    proof: 'source',
    *attempts({ slots }) {
      for (const slot of slots) {
        const choices = choicesOf(slot).slice(0, MAX_CHOICES);
        if (choices.length > 1) {
          for (const unit of SELECTING_UNITS) {
            for (const shift of choices.keys()) yield submitTime(slot, unit, rotate(choices, shift));
          }
        } else if (slot.type === 'number' || slot.type === 'string') {
          const units = slot.type === 'number' ? UNITS.filter((unit) => unit !== 'date') : UNITS;
          for (const unit of units) yield submitTime(slot, unit);
        }
      }
    },
  },
];
