import type { JSONObject, JSONValue } from '../../../../generated/trace.ts';
import { HighlightedText } from '../parts/visible-text.tsx';
import { isLong } from './call-arguments.tsx';
import { PayloadFrame } from './frame.tsx';
import { JsonTree } from './json-tree.tsx';
import { TextPayload } from './text.tsx';
import './payload.css';
import './prose.css';
import './values.css';

/** Text that is better read with its Markdown rendered. */
const isProse = (value: JSONValue): value is string =>
  typeof value === 'string' && (isLong(value) || /[$`*]|\\[([]/.test(value));

/** Renders the fields of a task: texts as Markdown with formulas, tables and code, the others as JSON. */
export function TaskFields({ task }: { readonly task: JSONObject }) {
  const fields = Object.entries(task);
  const prose = fields.filter(([, value]) => isProse(value));
  const others = fields.filter(([, value]) => !isProse(value));
  return (
    <PayloadFrame kind="task" value={task}>
      {others.length > 0 && <JsonTree value={Object.fromEntries(others)} openDepth={2} isBare />}
      {prose.map(([name, value]) => (
        <div key={name} class="payload-argument">
          <p class="json-key">
            <HighlightedText text={name} />
          </p>
          <TextPayload text={String(value)} as="markdown" />
        </div>
      ))}
    </PayloadFrame>
  );
}
