import type { ComponentType } from 'preact';
import { isWithin, pointerKeys, pointerPath, type SchemaResolver } from '../../../../core/index.ts';
import type { FormDraft } from './draft.ts';
import type { FormField } from './field.ts';
import type { Problem } from './read-draft.ts';

/** What every part of a form is given. */
export interface FieldProps<F extends FormField = FormField, D extends FormDraft = FormDraft> {
  readonly field: F;
  readonly draft: D;
  readonly onChange: (draft: FormDraft) => void;
  /** JSON pointer of the value within the input. */
  readonly path: string;
  readonly depth: number;
  readonly form: FormContext;
  /** What people call it. */
  readonly label: string;
}

export interface FormContext {
  readonly resolver: SchemaResolver;
  /** Shows a field within another one. */
  readonly View: ComponentType<FieldProps>;
  /** Begins the ids of its elements. */
  readonly id: string;
  /** Those that are shown now. */
  readonly problems: readonly Problem[];
}

export const fieldId = ({ id }: FormContext, path: string): string => id + path;

/** The problems that a field shows itself: its own, and those of places that it shows no field for. */
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
  // A branch has the path of its union, and shows what is below it.
  return field.kind === 'list' || field.kind === 'union';
}
