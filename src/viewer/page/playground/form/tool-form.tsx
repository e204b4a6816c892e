import { useId, useMemo, useRef, useState } from 'preact/hooks';
import { pointerPath } from '../../../../core/index.ts';
import type { JSONObject, ToolSpec } from '../../../../protocol/index.ts';
import { type InputSchema, inputSchema } from '../../environments/input-schema.ts';
import { QuietButton } from '../../parts/buttons.tsx';
import { blankDraft, type FormDraft, toDraft } from './draft.ts';
import { toFormField } from './field.ts';
import { FieldView } from './fields.tsx';
import { parseForm, parseFormJson } from './read-draft.ts';
import './form.css';

/** Draft of a tool's form, kept while another tool is selected. */
export interface ToolDraft {
  readonly draft: FormDraft;
  /** JSON text, if the input is entered as JSON. */
  readonly json: string | undefined;
}

export function blankToolDraft({ input_schema }: ToolSpec): ToolDraft {
  const { schema, resolver } = inputSchema(input_schema);
  return { draft: blankDraft(toFormField(schema, resolver), resolver, 0), json: undefined };
}

interface Props {
  readonly tool: ToolSpec;
  readonly value: ToolDraft;
  readonly onChange: (value: ToolDraft) => void;
  readonly onCall: (input: JSONObject) => void;
  readonly isDisabled: boolean;
}

/** Form for the input of a tool, made from its schema, or as JSON. */
export function ToolForm({ tool, value, onChange, onCall, isDisabled }: Props) {
  const input = useMemo(() => inputSchema(tool.input_schema), [tool.input_schema]);
  const field = toFormField(input.schema, input.resolver);
  const id = useId();
  const element = useRef<HTMLFormElement>(null);
  // Problems are shown after the first attempt to submit.
  const [isSubmitted, setSubmitted] = useState(false);
  const reading = value.json === undefined ? parseForm(input, value.draft) : parseFormJson(input, value.json);
  const problems = isSubmitted ? reading.problems : [];
  const submit = () => {
    if (isDisabled) return;
    setSubmitted(reading.problems.length > 0);
    // Only objects are valid.
    if (reading.problems.length === 0) onCall(reading.value as JSONObject);
    else setTimeout(() => element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
  };
  return (
    <form
      ref={element}
      class="form stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && submit()}
    >
      {tool.description !== '' && <p class="wrapped form-description">{tool.description}</p>}
      {value.json === undefined ? (
        <FieldView
          field={field}
          draft={value.draft}
          onChange={(draft) => onChange({ ...value, draft })}
          path=""
          depth={0}
          form={{ resolver: input.resolver, id, problems }}
          label={`Input of ${tool.name}`}
        />
      ) : (
        <WholeInput json={value.json} problems={problems} onInput={(json) => onChange({ ...value, json })} />
      )}
      {field.kind === 'object' && field.properties.length === 0 && value.json === undefined && (
        <small>This tool takes no input.</small>
      )}
      <footer class="row">
        <button type="submit" class="primary" disabled={isDisabled}>
          Call {tool.name}
        </button>
        <span class="spring" />
        <ModeToggle input={input} value={value} onChange={onChange} reading={reading} />
      </footer>
    </form>
  );
}

interface ModeToggleProps extends Pick<Props, 'value' | 'onChange'> {
  readonly input: InputSchema;
  readonly reading: ReturnType<typeof parseForm>;
}

/** Switches between form and JSON; back only if the form can represent the value. */
function ModeToggle({ input: { schema, resolver }, value, onChange, reading }: ModeToggleProps) {
  const [isUnrepresentable, setUnrepresentable] = useState(false);
  const toggle = () => {
    if (value.json === undefined) return onChange({ ...value, json: JSON.stringify(reading.value ?? {}, null, 2) });
    const draft =
      reading.value === undefined ? undefined : toDraft(toFormField(schema, resolver), reading.value, resolver, 0);
    setUnrepresentable(draft === undefined);
    if (draft !== undefined) onChange({ draft, json: undefined });
  };
  return (
    <>
      {isUnrepresentable && value.json !== undefined && (
        <small role="alert">The form cannot represent this value; edit it as JSON.</small>
      )}
      <QuietButton aria-pressed={value.json !== undefined} onClick={toggle}>
        as JSON
      </QuietButton>
    </>
  );
}

interface JsonProps {
  readonly json: string;
  readonly problems: ReturnType<typeof parseForm>['problems'];
  readonly onInput: (json: string) => void;
}

function WholeInput({ json, problems, onInput }: JsonProps) {
  return (
    <>
      <textarea
        class="form-text form-json form-whole"
        aria-label="Input as JSON"
        aria-invalid={problems.length > 0}
        rows={8}
        spellcheck={false}
        value={json}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {problems.length > 0 && (
        <ul class="form-problems">
          {problems.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path !== '' && <code>{pointerPath('', path)}</code>} {message}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
