import type { ListDraft, ObjectDraft, UnionDraft } from './draft.ts';
import type { FieldOf } from './field.ts';
import { type FieldProps, idOf, problemsOf } from './field-props.ts';
import { ChoiceInput, JsonInput, NumberInput, TextInput } from './inputs.tsx';
import { ListFields } from './list-fields.tsx';
import { ObjectFields } from './object-fields.tsx';
import { UnionFields } from './union-fields.tsx';

/** A field as its kind is asked for, and what is wrong with it. */
export function FieldView(props: FieldProps) {
  const { field, form, path } = props;
  const problems = problemsOf(form, field, path);
  return (
    <>
      <Input {...props} />
      {problems.length > 0 && (
        <ul class="form-problems" id={`${idOf(form, path)}!`}>
          {problems.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
    </>
  );
}

// The kind of a field tells that of its draft.
function Input(props: FieldProps) {
  switch (props.field.kind) {
    case 'text':
      return <TextInput {...(props as FieldProps<FieldOf<'text'>, string>)} />;
    case 'number':
      return <NumberInput {...(props as FieldProps<FieldOf<'number'>, string>)} />;
    case 'choice':
      return <ChoiceInput {...(props as FieldProps<FieldOf<'choice'>, string>)} />;
    case 'json':
      return <JsonInput {...(props as FieldProps<FieldOf<'json'>, string>)} />;
    case 'object':
      return <ObjectFields {...(props as FieldProps<FieldOf<'object'>, ObjectDraft>)} />;
    case 'list':
      return <ListFields {...(props as FieldProps<FieldOf<'list'>, ListDraft>)} />;
    case 'union':
      return <UnionFields {...(props as FieldProps<FieldOf<'union'>, UnionDraft>)} />;
  }
}
