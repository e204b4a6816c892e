import type { JSONObject, JSONValue } from '../../../../generated/trace.ts';
import { CodeBlock } from './code.tsx';
import { detectLanguage } from './code-language.ts';
import { TextDiff } from './diff.tsx';
import { findTextEdit } from './edits.ts';
import { JsonTree } from './json-tree.tsx';
import { HighlightedText } from './shown.tsx';
import { LARGE_BYTES, TextPayload } from './text.tsx';

interface Props {
  readonly tool: string;
  readonly given: JSONObject;
  readonly highlight: string | undefined;
}

/** The arguments of a call: short ones as JSON, texts as texts, code in colours, and changes of a text as such. */
export function CallArguments({ tool, given, highlight }: Props) {
  const edit = findTextEdit(given);
  const long = Object.entries(given).filter(([name, value]) => isLong(value) && !edit?.names.includes(name));
  const short = Object.entries(given).filter(([name, value]) => !isLong(value) && !edit?.names.includes(name));
  return (
    <>
      {short.length > 0 && <JsonTree value={Object.fromEntries(short)} openDepth={2} isBare highlight={highlight} />}
      {short.length + long.length === 0 && !edit && <p class="payload-note">no arguments</p>}
      {edit && <TextDiff before={edit.before} after={edit.after} />}
      {long.map(([name, value]) => (
        <div key={name} class="payload-argument">
          <p class="json-key">
            <HighlightedText text={name} highlight={highlight} />
          </p>
          <Long text={String(value)} language={detectLanguage(name, tool, given)} highlight={highlight} />
        </div>
      ))}
    </>
  );
}

const LONG_LENGTH = 80;

const isLong = (value: JSONValue): boolean =>
  typeof value === 'string' && (value.length > LONG_LENGTH || value.includes('\n'));

interface LongProps {
  readonly text: string;
  readonly language: string | undefined;
  readonly highlight: string | undefined;
}

function Long({ text, language, highlight }: LongProps) {
  if (language === undefined || text.length > LARGE_BYTES)
    return <TextPayload text={text} as="plain" highlight={highlight} />;
  return <CodeBlock text={text} language={language} highlight={highlight} />;
}
