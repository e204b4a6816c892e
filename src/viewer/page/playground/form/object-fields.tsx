import { pointerSegment } from '../../../../core/index.ts';
import { type FormDraft, type ObjectDraft, propertyDraft } from './draft.ts';
import type { FieldProperty, FormField, FormFieldOf } from './field.ts';
import { type FieldProps, fieldId } from './field-props.ts';
import { typeName } from './input-schema.ts';

/** The properties of an object, a field each; those that are not required can be left out. */
export function ObjectFields({
  field,
  draft,
  onChange,
  path,
  depth,
  form,
}: FieldProps<FormFieldOf<'object'>, ObjectDraft>) {
  return (
    <div class={depth === 0 ? 'form-object' : 'form-object form-inner'}>
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
            {...{ property, inner, isGiven: part.isGiven }}
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

/** What can be typed at once is shown even while it is left out: typing gives it. */
const isSimple = ({ kind }: FormField): boolean => kind === 'text' || kind === 'number' || kind === 'choice';

function PropertyRow({ property: { name, isRequired, schema }, inner, isGiven, onGive }: RowProps) {
  const { field, form, path } = inner;
  return (
    <div class={isGiven ? 'form-row' : 'form-row form-left-out'}>
      <div class="form-label">
        {!isRequired && (
          <input
            type="checkbox"
            aria-label={`Give ${name}`}
            title={isGiven ? `Leave ${name} out` : `Give ${name}`}
            checked={isGiven}
            onChange={(event) => onGive(event.currentTarget.checked)}
          />
        )}
        <label htmlFor={fieldId(form, path)}>
          <code>{name}</code>
        </label>
        <small title={typeName(schema, form.resolver)}>
          {typeName(schema, form.resolver)}
          {!isRequired && !isGiven && ' · left out'}
        </small>
      </div>
      {field.description !== undefined && <p class="form-about">{field.description}</p>}
      {(isGiven || isSimple(field)) && <form.View {...inner} />}
    </div>
  );
}
