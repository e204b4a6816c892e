import type { ListDraft, ObjectDraft, UnionDraft } from './draft.ts';
import type { FormFieldOf } from './field.ts';
import { type FieldProps, fieldId, fieldProblems } from './field-props.ts';
import { ChoiceInput, JsonInput, NumberInput, TextInput } from './inputs.tsx';
import { ListFields } from './list-fields.tsx';
import { ObjectFields } from './object-fields.tsx';
import { UnionFields } from './union-fields.tsx';

/** A field as its kind is asked for, and what is wrong with it. */
export function FieldView(props: FieldProps) {
  const { field, form, path } = props;
  const problems = fieldProblems(form, field, path);
  return (
    <>
      <Input {...props} />
      {problems.length > 0 && (
        <ul class="form-problems" id={`${fieldId(form, path)}!`}>
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
      return <TextInput {...(props as FieldProps<FormFieldOf<'text'>, string>)} />;
    case 'number':
      return <NumberInput {...(props as FieldProps<FormFieldOf<'number'>, string>)} />;
    case 'choice':
      return <ChoiceInput {...(props as FieldProps<FormFieldOf<'choice'>, string>)} />;
    case 'json':
      return <JsonInput {...(props as FieldProps<FormFieldOf<'json'>, string>)} />;
    case 'object':
      return <ObjectFields {...(props as FieldProps<FormFieldOf<'object'>, ObjectDraft>)} />;
    case 'list':
      return <ListFields {...(props as FieldProps<FormFieldOf<'list'>, ListDraft>)} />;
    case 'union':
      return <UnionFields {...(props as FieldProps<FormFieldOf<'union'>, UnionDraft>)} />;
  }
}
