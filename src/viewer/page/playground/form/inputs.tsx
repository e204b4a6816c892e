import { isWithin, pointerKeys, pointerPath, type SchemaResolver } from '../../../../core/index.ts';
import type { JSONValue } from '../../../../protocol/index.ts';
import type { FormDraft } from './draft.ts';
import type { FormField, FormFieldOf } from './field.ts';
import type { Problem } from './read-draft.ts';

/** Maximum number of options as buttons; more, or longer ones, become a select. */
const MAX_BUTTONS = 6;
const MAX_BUTTON_CHARACTERS = 48;

/** Returns the attributes that tell screen readers the field and its problems. */
function ariaAttributes({ form, field, path, label }: FieldProps) {
  const id = fieldId(form, path);
  const isWrong = fieldProblems(form, field, path).length > 0;
  return { id, 'aria-label': label, ...(isWrong && { 'aria-invalid': true, 'aria-describedby': `${id}!` }) };
}

/** Text input. Enter submits the form and Shift+Enter adds a line; in long texts it is the reverse. */
export function TextInput(props: FieldProps<FormFieldOf<'text'>, string>) {
  const { field, draft, onChange } = props;
  const { format, examples } = field.schema;
  const example = Array.isArray(examples) && typeof examples[0] === 'string' ? examples[0] : undefined;
  return (
    <textarea
      {...ariaAttributes(props)}
      class={field.isLong ? 'form-text form-long' : 'form-text'}
      rows={field.isLong ? 4 : 1}
      spellcheck={false}
      placeholder={example ?? (typeof format === 'string' ? format : '')}
      value={draft}
      onInput={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (field.isLong || event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        event.currentTarget.form?.requestSubmit();
      }}
    />
  );
}

export function NumberInput(props: FieldProps<FormFieldOf<'number'>, string>) {
  const { field, draft, onChange } = props;
  return (
    <input
      {...ariaAttributes(props)}
      class="form-number"
      inputMode={field.isWhole ? 'numeric' : 'decimal'}
      autocomplete="off"
      value={draft}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
}

export function JsonInput(props: FieldProps<FormFieldOf<'json'>, string>) {
  const { draft, onChange } = props;
  return (
    <textarea
      {...ariaAttributes(props)}
      class="form-text form-json"
      rows={2}
      spellcheck={false}
      placeholder="JSON"
      value={draft}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
}

const shown = (option: JSONValue): string =>
  typeof option === 'string' && option !== '' ? option : JSON.stringify(option);

export function ChoiceInput(props: FieldProps<FormFieldOf<'choice'>, string>) {
  const { field, draft, onChange } = props;
  const labels = field.options.map(shown);
  if (labels.length === 1) return <output {...ariaAttributes(props)}>{labels[0]}</output>;
  if (labels.length <= MAX_BUTTONS && labels.join('').length <= MAX_BUTTON_CHARACTERS)
    return <Buttons {...props} labels={labels} />;
  return (
    <select {...ariaAttributes(props)} value={draft} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="" disabled>
        choose
      </option>
      {labels.map((label, index) => (
        <option key={index} value={String(index)}>
          {label}
        </option>
      ))}
    </select>
  );
}

function Buttons(props: FieldProps<FormFieldOf<'choice'>, string> & { readonly labels: readonly string[] }) {
  const { labels, draft, onChange } = props;
  const { id, ...about } = ariaAttributes(props);
  return (
    <fieldset class="choices form-choice" {...about}>
      {labels.map((label, index) => (
        <label key={index} class={draft === String(index) ? 'button chosen' : 'button'}>
          <input
            type="radio"
            name={id}
            {...(index === 0 && { id })}
            checked={draft === String(index)}
            onChange={() => onChange(String(index))}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

/** Props of every input. */
export interface FieldProps<F extends FormField = FormField, D extends FormDraft = FormDraft> {
  readonly field: F;
  readonly draft: D;
  readonly onChange: (draft: FormDraft) => void;
  /** JSON pointer of the value within the input. */
  readonly path: string;
  readonly depth: number;
  readonly form: FormContext;
  /** Label for screen readers. */
  readonly label: string;
}

interface FormContext {
  readonly resolver: SchemaResolver;
  /** Prefix of element ids. */
  readonly id: string;
  /** Problems to show now. */
  readonly problems: readonly Problem[];
}

export const fieldId = ({ id }: FormContext, path: string): string => id + path;

/** Returns the problems that a field shows: its own, and those of nested values without a field. */
export function fieldProblems({ problems }: FormContext, field: FormField, path: string): readonly string[] {
  return problems.flatMap(({ path: at, message }) => {
    if (!isWithin(at, path)) return [];
    const inner = at.slice(path.length);
    const key = pointerKeys(inner)?.[0];
    if (key !== undefined && hasField(field, key)) return [];
    return [key === undefined ? message : `${pointerPath('', inner)} ${message}`];
  });
}

function hasField(field: FormField, key: string): boolean {
  if (field.kind === 'object') return field.properties.some(({ name }) => name === key);
  // A branch has the path of its union and shows the problems below it.
  return field.kind === 'list' || field.kind === 'union';
}
