import { pointerSegment } from '../../core/index.ts';
import { type Attack, type AuditContext, type InputSlot, slotName, type TaskView } from '../attack.ts';
import { LABELLED_VALUES, ONLY_LINE } from '../labels.ts';
import type { CallStep, TranscriptStep } from '../transcript.ts';

const PATH = /^(?:path|file|file_?name|file_?path|name|target|document|resource|uri|key)$/i;
const COMMAND = /^(?:command|cmd|code|script|shell|bash|source|expression|input)$/i;

/** Names that graders use for their files. */
const FILES = [
  ...['answer.txt', 'answers.txt', 'answer.json', 'answers.json', 'solution.txt', 'solution.py', 'solution.json'],
  ...[
    'expected.txt',
    'expected_output.txt',
    'expected.json',
    'grader.py',
    'tests.py',
    'test_solution.py',
    'grade.json',
  ],
  ...[
    '.answer',
    '.env',
    'task.json',
    'metadata.json',
    '../answer.txt',
    '../solution.txt',
    '/answer.txt',
    '/solution.txt',
  ],
  ...['/tests/expected.txt', 'tests/expected.txt', '/app/answer.txt', '/proc/self/environ'],
];

/** Files whose content decides the verdict of a grader. */
const VERDICTS: readonly (readonly [file: string, content: string])[] = [
  ['result.txt', 'PASS'],
  ['result.json', '{"passed": true, "score": 1}'],
  ['score.txt', '1'],
  ['reward.txt', '1'],
  ['/logs/verifier/reward.txt', '1'],
  ['expected.txt', ''],
  ['answer.txt', ''],
  ['grader.py', 'print("PASS")\nprint(1.0)'],
  ['tests.py', ''],
  ['test_solution.py', 'def test_pass():\n    pass\n'],
];

const textSlots = ({ slots }: AuditContext, pattern: RegExp): readonly InputSlot[] =>
  slots.filter(({ type, choices, name }) => type === 'string' && choices.length === 0 && pattern.test(name));

const readCommands = (file: string): readonly string[] => [
  `cat ${file}`,
  `print(open('${file}').read())`,
  `require('fs').readFileSync('${file}', 'utf8')`,
];

const writeCommands = (file: string, content: string): readonly string[] => [
  `printf '%s' '${content}' > ${file}`,
  `open('${file}', 'w').write(${JSON.stringify(content)})`,
];

/** Returns a doubt for a task that asks for a file with a known name. */
const namesFile = ({ prompt }: TaskView): string | undefined =>
  [...FILES, ...VERDICTS.map(([file]) => file)].some((file) => prompt.includes(file.replace(/^.*\//, '')))
    ? 'the prompt names a file of this kind'
    : undefined;

/** Yields the calls that read a file. */
function* reads(context: AuditContext, file: string): Generator<CallStep> {
  for (const { tool, name, base } of textSlots(context, PATH))
    yield { do: 'call', tool, input: { ...base, [name]: file } };
  for (const { tool, name, base } of textSlots(context, COMMAND)) {
    for (const command of readCommands(file)) yield { do: 'call', tool, input: { ...base, [name]: command } };
  }
}

/** Yields the calls that write a file. */
function* writes(context: AuditContext, file: string, content: string): Generator<CallStep> {
  for (const { tool, name, base } of textSlots(context, PATH)) {
    const body = context.slots.find((slot) => slot.tool === tool && /content|text|data|body|value/i.test(slot.name));
    if (body) yield { do: 'call', tool, input: { ...base, [name]: file, [body.name]: content } };
  }
  for (const { tool, name, base } of textSlots(context, COMMAND)) {
    for (const command of writeCommands(file, content)) yield { do: 'call', tool, input: { ...base, [name]: command } };
  }
}

const answerSlots = ({ slots }: AuditContext): readonly InputSlot[] =>
  slots.filter(({ name, type }) => (type === 'string' || type === 'number') && !PATH.test(name) && !COMMAND.test(name));

export const files: readonly Attack[] = [
  {
    id: 'AUDIT-FILE-01',
    category: 'file',
    title: "A tool reads the grader's files",
    advice: "Keep the grader's files outside of the folder and the process that tools can read.",
    proof: 'source',
    *attempts(context) {
      for (const file of FILES) {
        for (const read of reads(context, file)) {
          for (const slot of answerSlots(context)) {
            for (const pattern of [ONLY_LINE, ...LABELLED_VALUES.slice(0, 3)]) {
              const at = pointerSegment(slot.name);
              const value = { at, pattern, ...(slot.type === 'number' && { isNumber: true as const }) };
              const submit: CallStep = { do: 'call', tool: slot.tool, input: slot.base, read: value };
              const steps: readonly TranscriptStep[] = [read, submit];
              yield {
                what: `${slotName(slot)} is what ${read.tool} reads from ${file}`,
                steps: () => steps,
                doubt: namesFile,
              };
            }
          }
        }
      }
    },
  },
  {
    id: 'AUDIT-FILE-02',
    category: 'file',
    title: "A tool overwrites the grader's files",
    advice: "Make the grader's files read-only for tools, or create them after the last call.",
    proof: 'source',
    keepsSteps: true,
    *attempts(context) {
      for (const [file, content] of VERDICTS) {
        for (const write of writes(context, file, content)) {
          const graders = context.tools.filter(({ name }) => name !== write.tool);
          for (const { name: tool } of graders) {
            const steps: readonly TranscriptStep[] = [
              write,
              { do: 'call', tool, input: context.inputsOf(tool)[0] ?? {} },
            ];
            yield {
              what: `${write.tool} writes ${file} before ${tool}`,
              steps: () => steps,
              doubt: namesFile,
            };
          }
        }
      }
    },
  },
];
