import type { JSONObject, JSONValue } from '../../../../generated/trace.ts';
import { isJsonObject } from '../../../core/index.ts';
import { HighlightedText } from '../parts/visible-text.tsx';
import { CodeBlock, TextDiff } from './code.tsx';
import { JsonTree } from './json-tree.tsx';
import { LARGE_BYTES, TextPayload } from './text.tsx';

/** Renders the arguments of a call: short ones as JSON, long texts as text, code with highlighting, edits as a diff. */
export function CallArguments({ tool, given }: { readonly tool: string; readonly given: JSONValue }) {
  if (!isJsonObject(given)) return <JsonTree value={given} openDepth={2} isBare />;
  const edit = findTextEdit(given);
  const others = Object.entries(given).filter(([name]) => !edit?.names.includes(name));
  const long = others.filter(([, value]) => isLong(value));
  const short = others.filter(([, value]) => !isLong(value));
  return (
    <>
      {short.length > 0 && <JsonTree value={Object.fromEntries(short)} openDepth={2} isBare />}
      {others.length === 0 && !edit && <p class="payload-note">no arguments</p>}
      {edit && <TextDiff before={edit.before} after={edit.after} />}
      {long.map(([name, value]) => (
        <div key={name} class="payload-argument">
          <p class="json-key">
            <HighlightedText text={name} />
          </p>
          <Long text={String(value)} language={detectLanguage(name, tool, given)} />
        </div>
      ))}
    </>
  );
}

const LONG_LENGTH = 80;

/** Returns whether a text is too long for a line. */
export const isLong = (value: JSONValue): boolean =>
  typeof value === 'string' && (value.length > LONG_LENGTH || value.includes('\n'));

function Long({ text, language }: { readonly text: string; readonly language: string | undefined }) {
  return language === undefined || text.length > LARGE_BYTES ? (
    <TextPayload text={text} as="plain" />
  ) : (
    <CodeBlock text={text} language={language} />
  );
}

/** Argument names that file-editing tools use for the old and the new text. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['old_str', 'new_str'],
  ['old_string', 'new_string'],
  ['old_text', 'new_text'],
  ['before', 'after'],
  ['search', 'replace'],
];

/** Returns the text edit that a call makes, as far as the argument names tell. */
function findTextEdit(given: JSONObject) {
  for (const names of PAIRS) {
    const [before, after] = names.map((name) => given[name]);
    if (typeof before === 'string' && typeof after === 'string') return { before, after, names };
  }
  return undefined;
}

const BY_NAME: Readonly<Record<string, string>> = {
  bash: 'bash',
  bash_command: 'bash',
  cmd: 'bash',
  command: 'bash',
  code: 'python',
  diff: 'diff',
  html: 'html',
  json: 'json',
  javascript: 'javascript',
  patch: 'diff',
  python: 'python',
  query: 'sql',
  script: 'bash',
  shell: 'bash',
  sql: 'sql',
  typescript: 'typescript',
  xml: 'xml',
  yaml: 'yaml',
};

const FILE_NAMES = ['path', 'file_path', 'filename', 'file', 'file_name'] as const;
const LANGUAGES = ['javascript', 'typescript', 'python', 'bash', 'shell', 'sql'] as const;

/** Guesses the language of a text argument from names; undefined for prose. */
function detectLanguage(name: string, tool: string, others: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof others.language === 'string') return others.language;
  const byTool = LANGUAGES.find((language) => tool.toLowerCase().includes(language));
  const key = name.toLowerCase();
  if (key === 'code' || key === 'script') return byTool ?? BY_NAME[key];
  if (Object.hasOwn(BY_NAME, key)) return BY_NAME[key];
  const file = FILE_NAMES.map((each) => others[each]).find((value) => typeof value === 'string');
  return typeof file === 'string' && key !== 'path' ? /\.(\w{1,8})$/.exec(file)?.[1] : undefined;
}
