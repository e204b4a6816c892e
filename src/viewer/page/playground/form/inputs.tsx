import type { JSONValue } from '../../../../protocol/index.ts';
import type { FormFieldOf } from './field.ts';
import { type FieldProps, fieldId, fieldProblems } from './field-props.ts';

/** More, or longer ones, are chosen from a list that opens. */
const MAX_BUTTONS = 6;
const MAX_BUTTON_CHARACTERS = 48;

/** What tells programs that read a page aloud which field this is and what is wrong with it. */
function described({ form, field, path, label }: FieldProps) {
  const id = fieldId(form, path);
  const isWrong = fieldProblems(form, field, path).length > 0;
  return { id, 'aria-label': label, ...(isWrong && { 'aria-invalid': true, 'aria-describedby': `${id}!` }) };
}

/** Enter sends the form, with Shift it begins a line; in long texts it is the other way round. */
export function TextInput(props: FieldProps<FormFieldOf<'text'>, string>) {
  const { field, draft, onChange } = props;
  const { format, examples } = field.schema;
  const example = Array.isArray(examples) && typeof examples[0] === 'string' ? examples[0] : undefined;
  return (
    <textarea
      {...described(props)}
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
      {...described(props)}
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
      {...described(props)}
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
  if (labels.length === 1) return <output {...described(props)}>{labels[0]}</output>;
  if (labels.length <= MAX_BUTTONS && labels.join('').length <= MAX_BUTTON_CHARACTERS)
    return <Buttons {...props} labels={labels} />;
  return (
    <select {...described(props)} value={draft} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="" disabled>
        choose
      </option>
      {labels.map((label, place) => (
        <option key={place} value={String(place)}>
          {label}
        </option>
      ))}
    </select>
  );
}

function Buttons(props: FieldProps<FormFieldOf<'choice'>, string> & { readonly labels: readonly string[] }) {
  const { labels, draft, onChange } = props;
  const { id, ...about } = described(props);
  return (
    <fieldset class="form-choice" {...about}>
      {labels.map((label, place) => (
        <label key={place}>
          <input
            type="radio"
            name={id}
            {...(place === 0 && { id })}
            checked={draft === String(place)}
            onChange={() => onChange(String(place))}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
