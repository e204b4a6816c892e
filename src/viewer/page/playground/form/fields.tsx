import type { ComponentType } from 'preact';
import { pointerSegment } from '../../../../core/index.ts';
import { typeName } from '../../environments/input-schema.ts';
import { Button, IconButton, Select } from '../../parts/buttons.tsx';
import {
  blankDraft,
  branchDraft,
  type FormDraft,
  type ListDraft,
  type ObjectDraft,
  propertyDraft,
  type UnionDraft,
} from './draft.ts';
import { type FieldProperty, type FormField, type FormFieldOf, toFormField } from './field.ts';
import { ChoiceInput, type FieldProps, fieldId, fieldProblems, JsonInput, NumberInput, TextInput } from './inputs.tsx';

/** Input of a field, with its problems. */
export function FieldView(props: FieldProps) {
  const { field, form, path } = props;
  const problems = fieldProblems(form, field, path);
  // The kind of a field determines that of its draft.
  const Input = INPUTS[field.kind] as ComponentType<FieldProps>;
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

const INPUTS = {
  text: TextInput,
  number: NumberInput,
  choice: ChoiceInput,
  json: JsonInput,
  object: ObjectFields,
  list: ListFields,
  union: UnionFields,
};

/** Properties of an object, one field each; optional ones can be left out. */
function ObjectFields({ field, draft, onChange, path, depth, form }: FieldProps<FormFieldOf<'object'>, ObjectDraft>) {
  return (
    <div class={depth === 0 ? 'stack form-object' : 'stack form-object form-inner'}>
      {field.properties.map((property) => {
        const part = propertyDraft(draft, property, form.resolver, depth);
        const change = (isGiven: boolean, own: FormDraft | undefined) =>
          onChange({ parts: { ...draft.parts, [property.name]: { isGiven, draft: own } } });
        return (
          <PropertyRow
            key={property.name}
            field={part.field}
            draft={part.draft}
            onChange={(own) => change(true, own)}
            path={path + pointerSegment(property.name)}
            depth={depth + 1}
            form={form}
            label={property.name}
            property={property}
            isGiven={part.isGiven}
            onGive={(isGiven) => change(isGiven, part.draft)}
          />
        );
      })}
    </div>
  );
}

interface RowProps extends FieldProps {
  readonly property: FieldProperty;
  readonly isGiven: boolean;
  readonly onGive: (isGiven: boolean) => void;
}

/** Simple inputs are visible while they are left out: typing adds them. */
const isSimple = ({ kind }: FormField): boolean => kind === 'text' || kind === 'number' || kind === 'choice';

function PropertyRow({ property: { name, isRequired, schema }, isGiven, onGive, ...inner }: RowProps) {
  const { field, form, path } = inner;
  const type = typeName(schema, form.resolver);
  return (
    <div class={isGiven ? 'stack form-row' : 'stack form-row form-left-out'}>
      <div class="form-label">
        {!isRequired && (
          <input
            type="checkbox"
            aria-label={`Include ${name}`}
            title={isGiven ? `Omit ${name}` : `Include ${name}`}
            checked={isGiven}
            onChange={(event) => onGive(event.currentTarget.checked)}
          />
        )}
        <label htmlFor={fieldId(form, path)}>
          <code>{name}</code>
        </label>
        <small class="clipped" title={type}>
          {type}
          {!isRequired && !isGiven && ' · omitted'}
        </small>
      </div>
      {field.description !== undefined && <p class="wrapped muted form-about">{field.description}</p>}
      {(isGiven || isSimple(field)) && <FieldView {...inner} />}
    </div>
  );
}

/** Entries of a list; to reorder them, edit the list as JSON. */
function ListFields({ field, draft, onChange, path, depth, form, label }: FieldProps<FormFieldOf<'list'>, ListDraft>) {
  const { items } = draft;
  const item = toFormField(field.item, form.resolver, depth + 1);
  const { maxItems } = field.schema;
  return (
    <div class="stack form-list">
      <ol class="stack">
        {items.map((own, index) => (
          <li key={index}>
            <div>
              <FieldView
                field={item}
                draft={own}
                onChange={(changed) => onChange({ items: items.with(index, changed) })}
                path={path + pointerSegment(index)}
                depth={depth + 1}
                form={form}
                label={`${label} ${index}`}
              />
            </div>
            <IconButton
              icon="✕"
              label={`Remove ${label} ${index}`}
              onClick={() => onChange({ items: items.toSpliced(index, 1) })}
            />
          </li>
        ))}
      </ol>
      <Button
        class="form-add"
        disabled={typeof maxItems === 'number' && items.length >= maxItems}
        onClick={() => onChange({ items: [...items, blankDraft(item, form.resolver, depth + 1)] })}
      >
        + Add to {label}
      </Button>
    </div>
  );
}

/** Selects one of several alternatives; what was typed into the others is kept. */
function UnionFields(props: FieldProps<FormFieldOf<'union'>, UnionDraft>) {
  const { field, draft, onChange, path, depth, form, label } = props;
  const { field: own, draft: inner } = branchDraft(field, draft, form.resolver, depth);
  return (
    <div class="stack form-union">
      <Select
        id={fieldId(form, path)}
        label={`Form of ${label}`}
        value={String(draft.branch)}
        options={field.branches.map((branch, index) => [String(index), branch.label] as const)}
        onChoose={(branch) => onChange({ ...draft, branch: Number(branch) })}
      />
      <FieldView
        field={own}
        draft={inner}
        onChange={(changed) => onChange({ ...draft, drafts: { ...draft.drafts, [draft.branch]: changed } })}
        path={path}
        depth={depth + 1}
        form={{ ...form, id: `${form.id}/${draft.branch}` }}
        label={label}
      />
    </div>
  );
}
