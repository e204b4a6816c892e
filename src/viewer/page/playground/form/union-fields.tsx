import { branchDraft, type UnionDraft } from './draft.ts';
import type { FormFieldOf } from './field.ts';
import { type FieldProps, fieldId } from './field-props.ts';

/** One of several forms that a value can have; what was typed into the others is kept. */
export function UnionFields(props: FieldProps<FormFieldOf<'union'>, UnionDraft>) {
  const { field, draft, onChange, path, depth, form, label } = props;
  const { field: own, draft: inner } = branchDraft(field, draft, form.resolver, depth);
  return (
    <div class="form-union">
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
