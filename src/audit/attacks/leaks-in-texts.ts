import { asSchema, isRecord, listAt, schemasByName } from '../../core/index.ts';
import type { JSONValue, ToolSpec } from '../../protocol/index.ts';
import { type Attack, type AuditContext, slotName, type TaskView } from '../attack.ts';
import { LABELLED_VALUES, labelledValue, textsBetween } from '../labels.ts';
import { submitValue } from './leaks-in-tasks.ts';

/** Yields attempts that submit what a text of each task calls the answer. */
function* submitLabelled(context: AuditContext, what: string, textOf: (view: TaskView) => string) {
  for (const pattern of LABELLED_VALUES) {
    yield* submitValue(context, what, (view) => labelledValue(textOf(view), pattern));
  }
}

const INVISIBLE = /[\u200b-\u200f\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/gu;

/** Returns the texts of a prompt that readers do not see: comments, and characters without width. */
function unseenText(prompt: string): string {
  const comments = [...textsBetween(prompt, '<!--', '-->'), ...textsBetween(prompt, '[//]: # (', ')')];
  // Characters of the block of tags are copies of ASCII without width.
  const tags = Array.from(prompt.matchAll(/[\u{e0020}-\u{e007e}]/gu), ([tag]) =>
    String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000),
  );
  return [...comments, tags.join('')].filter((text) => text !== '').join('\n');
}

/** Returns the texts of a tool: its description and those of its parameters. */
const textOfTool = ({ description, input_schema: schema }: ToolSpec): string => {
  const parameters = Object.values(schemasByName(asSchema(schema), 'properties'));
  const texts = parameters.map((each) => (isRecord(each) ? String(each.description ?? '') : ''));
  return [description, ...texts].join('\n');
};

/** Returns a value that the schema of a parameter gives as a default or an example. */
function exampleOf(view: TaskView, tool: string, name: string, keyword: 'default' | 'examples' | 'const' | 'enum') {
  const schema = asSchema(view.tools.find((each) => each.name === tool)?.input_schema);
  const parameter = asSchema(schemasByName(schema, 'properties')[name]);
  const value = keyword === 'examples' || keyword === 'enum' ? listAt(parameter, keyword)[0] : parameter[keyword];
  return value as JSONValue | undefined;
}

export const textLeaks: readonly Attack[] = [
  {
    id: 'AUDIT-LEAK-08',
    category: 'leak',
    title: 'The prompt contains the answer',
    advice: 'Remove the answer from the prompt.',
    proof: 'source',
    attempts: (context) => submitLabelled(context, 'what the prompt calls the answer', ({ prompt }) => prompt),
  },
  {
    id: 'AUDIT-LEAK-09',
    category: 'leak',
    title: 'The prompt contains the answer where readers do not see it',
    advice: 'Remove comments, invisible characters, details of blocks and texts in images from the prompt.',
    proof: 'source',
    *attempts(context) {
      const unseen = ({ prompt }: TaskView) => unseenText(prompt);
      yield* submitLabelled(context, 'what an invisible text of the prompt calls the answer', unseen);
      yield* submitValue(context, 'an invisible text of the prompt', (view) => unseen(view).trim() || undefined);
      yield* submitLabelled(context, 'what a detail of the prompt calls the answer', ({ hiddenTexts }) =>
        hiddenTexts.join('\n'),
      );
      yield* submitValue(context, 'the prompt without its invisible characters', ({ prompt }) => {
        const visible = prompt.replace(INVISIBLE, '');
        return visible === prompt ? undefined : visible;
      });
    },
  },
  {
    id: 'AUDIT-LEAK-10',
    category: 'leak',
    title: 'The description of a tool contains the answer',
    advice: 'Do not derive descriptions of tools from the answer.',
    proof: 'source',
    attempts: (context) =>
      submitLabelled(context, 'what the description of a tool calls the answer', ({ tools }) =>
        tools.map(textOfTool).join('\n'),
      ),
  },
  {
    id: 'AUDIT-LEAK-11',
    category: 'leak',
    title: 'The schema of a tool contains the answer',
    advice: 'Do not use the answer as a default, an example or the first choice of a parameter.',
    proof: 'source',
    *attempts(context) {
      for (const slot of context.slots) {
        for (const keyword of ['default', 'examples', 'const', 'enum'] as const) {
          const what = `the value of ${keyword} in the schema of ${slotName(slot)}`;
          yield* submitValue({ ...context, slots: [slot] }, what, (view) =>
            exampleOf(view, slot.tool, slot.name, keyword),
          );
        }
      }
    },
  },
];
