import { pointerSegment } from '../../../../core/index.ts';
import { blankDraft, type ListDraft } from './draft.ts';
import { type FormFieldOf, toFormField } from './field.ts';
import type { FieldProps } from './field-props.ts';

/** The entries of a list, in an order that can be changed by writing the list as JSON. */
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
    <div class="form-list">
      <ol>
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
            <button
              type="button"
              class="quiet"
              aria-label={`Remove ${label} ${place}`}
              title="Remove"
              onClick={() => onChange({ items: items.filter((_, at) => at !== place) })}
            >
              ✕
            </button>
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
