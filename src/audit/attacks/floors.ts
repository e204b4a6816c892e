import { terminalToolInput } from '../../protocol/index.ts';
import { type Attack, type AuditContext, constantCall, constantValue, type InputSlot } from '../attack.ts';
import { randomCalls } from '../floor.ts';
import { fitValue } from '../slots.ts';

const GIVING_UP =
  /^(?:give_?up|quit|skip|pass|abort|cancel|surrender|resign|done|stop|finish|end|exit|abandon|forfeit)(?:[_-]|$)/i;
const EXCUSES = ['I give up.', 'I could not find the answer to this.', 'I do not know.', 'N/A', 'None'];
const COMMON_ANSWERS = ['0', '1', '2', '42', 'A', 'B', 'C', 'D', 'yes', 'no', 'true', 'false', 'unknown', 'none'];

const isText = ({ type, choices }: InputSlot): boolean => type === 'string' && choices.length === 0;

export const floors: readonly Attack[] = [
  {
    id: 'AUDIT-FLOOR-01',
    category: 'floor',
    title: 'Giving up at once wins',
    advice: 'Pay nothing for an episode without an answer.',
    proof: 'constant',
    *attempts({ tools, terminal, slots, inputsOf }) {
      for (const { name } of tools.filter((tool) => GIVING_UP.test(tool.name))) {
        yield constantCall(`the first call is ${name}`, name, inputsOf(name)[0] ?? {});
      }
      for (const text of terminal ? EXCUSES : []) {
        yield constantCall(
          `the final message is '${text}'`,
          terminal?.name ?? '',
          terminal ? terminalToolInput(terminal, text) : {},
        );
      }
      for (const slot of slots.filter(isText)) {
        for (const text of EXCUSES) yield constantValue(slot, `'${text}'`, text);
      }
    },
  },
  {
    id: 'AUDIT-FLOOR-02',
    category: 'floor',
    title: 'The same answer wins every task',
    advice: 'Grade the answer against the task, and vary the right answers.',
    proof: 'constant',
    *attempts({ tools, slots, inputsOf }) {
      for (const { name } of tools) {
        for (const input of inputsOf(name).slice(0, 3)) yield constantCall(`the only call is ${name}`, name, input);
      }
      for (const slot of slots) {
        const values =
          slot.choices.length > 0 ? slot.choices : slot.type === 'boolean' ? [true, false] : COMMON_ANSWERS;
        for (const value of values) {
          const fitted = fitValue(slot, value);
          if (fitted !== undefined) yield constantValue(slot, JSON.stringify(fitted), fitted);
        }
      }
    },
  },
  {
    id: 'AUDIT-FLOOR-03',
    category: 'floor',
    title: 'Random valid calls win every task',
    advice: 'Make guesses more expensive, or allow more answers.',
    proof: 'source',
    winShare: 0.9,
    isFloor: true,
    attempts: (context: AuditContext) =>
      [0, 1, 2].map((episode) => ({
        what: `eight random valid calls, seed ${context.seed}, episode ${episode + 1}`,
        steps: (view) => randomCalls(context, view, episode),
      })),
  },
];
