import { pointerSegment } from '../../../../core/index.ts';
import { typeName } from '../../environments/input-schema.ts';
import { IconButton } from '../../parts/buttons.tsx';
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

// The kind of a field determines that of its draft.
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

/** Properties of an object, one field each; optional ones can be left out. */
export function ObjectFields({
  field,
  draft,
  onChange,
  path,
  depth,
  form,
}: FieldProps<FormFieldOf<'object'>, ObjectDraft>) {
  return (
    <div class={depth === 0 ? 'stack form-object' : 'stack form-object form-inner'}>
      {field.properties.map((property) => {
        const part = propertyDraft(draft, property, form.resolver, depth);
        const change = (isGiven: boolean, own: FormDraft | undefined) =>
          onChange({ parts: { ...draft.parts, [property.name]: { isGiven, draft: own } } });
        const inner: FieldProps = {
          field: part.field,
          draft: part.draft,
          onChange: (own) => change(true, own),
          path: path + pointerSegment(property.name),
          depth: depth + 1,
          form,
          label: property.name,
        };
        return (
          <PropertyRow
            key={property.name}
            property={property}
            inner={inner}
            isGiven={part.isGiven}
            onGive={(isGiven) => change(isGiven, part.draft)}
          />
        );
      })}
    </div>
  );
}

interface RowProps {
  readonly property: FieldProperty;
  readonly inner: FieldProps;
  readonly isGiven: boolean;
  readonly onGive: (isGiven: boolean) => void;
}

/** Simple inputs are visible while they are left out: typing adds them. */
const isSimple = ({ kind }: FormField): boolean => kind === 'text' || kind === 'number' || kind === 'choice';

function PropertyRow({ property: { name, isRequired, schema }, inner, isGiven, onGive }: RowProps) {
  const { field, form, path } = inner;
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
        <small class="clipped" title={typeName(schema, form.resolver)}>
          {typeName(schema, form.resolver)}
          {!isRequired && !isGiven && ' · omitted'}
        </small>
      </div>
      {field.description !== undefined && <p class="form-about">{field.description}</p>}
      {(isGiven || isSimple(field)) && <form.View {...inner} />}
    </div>
  );
}

/** Entries of a list; to reorder them, edit the list as JSON. */
export function ListFields({
  field,
  draft,
  onChange,
  path,
  depth,
  form,
  label,
}: FieldProps<FormFieldOf<'list'>, ListDraft>) {
  const { items } = draft;
  const item = toFormField(field.item, form.resolver, depth + 1);
  const { maxItems } = field.schema;
  return (
    <div class="stack form-list">
      <ol class="stack">
        {items.map((own, place) => (
          <li key={place}>
            <div>
              <form.View
                field={item}
                draft={own}
                onChange={(changed) => onChange({ items: items.map((each, at) => (at === place ? changed : each)) })}
                path={path + pointerSegment(place)}
                depth={depth + 1}
                form={form}
                label={`${label} ${place}`}
              />
            </div>
            <IconButton
              label={`Remove ${label} ${place}`}
              onClick={() => onChange({ items: items.filter((_, at) => at !== place) })}
            >
              ✕
            </IconButton>
          </li>
        ))}
      </ol>
      <button
        type="button"
        class="form-add"
        disabled={typeof maxItems === 'number' && items.length >= maxItems}
        onClick={() => onChange({ items: [...items, blankDraft(item, form.resolver, depth + 1)] })}
      >
        + Add to {label}
      </button>
    </div>
  );
}

/** Selects one of several alternatives; what was typed into the others is kept. */
export function UnionFields(props: FieldProps<FormFieldOf<'union'>, UnionDraft>) {
  const { field, draft, onChange, path, depth, form, label } = props;
  const { field: own, draft: inner } = branchDraft(field, draft, form.resolver, depth);
  return (
    <div class="stack form-union">
      <select
        id={fieldId(form, path)}
        aria-label={`Form of ${label}`}
        value={String(draft.branch)}
        onChange={(event) => onChange({ ...draft, branch: Number(event.currentTarget.value) })}
      >
        {field.branches.map((branch, place) => (
          <option key={branch.label} value={String(place)}>
            {branch.label}
          </option>
        ))}
      </select>
      <form.View
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
