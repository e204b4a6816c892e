import { useState } from 'preact/hooks';
import type { JSONObject, ToolSpec } from '../../../protocol/index.ts';
import { navigate, useQuery, withQuery } from '../shell/location.ts';
import { useShortcuts } from '../shell/shortcuts.ts';
import { blankToolDraft, type ToolDraft, ToolForm } from './form/tool-form.tsx';

/** More are chosen from a list that opens. */
const MAX_BUTTONS = 12;
const KEYS = 9;

interface Props {
  readonly tools: readonly ToolSpec[];
  readonly isDisabled: boolean;
  readonly onCall: (tool: string, input: JSONObject) => void;
}

/** The tools of an episode, one of them with its form; which one stands in the address. */
export function ToolPanel({ tools, isDisabled, onCall }: Props) {
  const requested = useQuery().get('tool');
  const tool = tools.find(({ name }) => name === requested) ?? tools[0];
  const [drafts, setDrafts] = useState<Readonly<Record<string, ToolDraft>>>({});
  const choose = (name: string | undefined) => name && navigate(withQuery({ tool: name }), { replace: true });
  useShortcuts(
    Object.fromEntries(
      tools.slice(0, KEYS).map(({ name }, at) => [`${at + 1}`, { does: `choose ${name}`, run: () => choose(name) }]),
    ),
  );
  if (!tool) return <p class="none">This task has no tools.</p>;
  return (
    <>
      {tools.length > MAX_BUTTONS ? (
        <select aria-label="Tool" value={tool.name} onChange={(event) => choose(event.currentTarget.value)}>
          {tools.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      ) : (
        <div class="play-choice">
          {tools.map(({ name }) => (
            <button key={name} type="button" aria-pressed={name === tool.name} onClick={() => choose(name)}>
              {name}
            </button>
          ))}
        </div>
      )}
      <ToolForm
        key={tool.name}
        tool={tool}
        value={Object.hasOwn(drafts, tool.name) ? (drafts[tool.name] ?? blankToolDraft(tool)) : blankToolDraft(tool)}
        onChange={(draft) => setDrafts({ ...drafts, [tool.name]: draft })}
        onCall={(input) => onCall(tool.name, input)}
        isDisabled={isDisabled}
      />
    </>
  );
}
