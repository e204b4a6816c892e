import type { ComponentType } from 'preact';
import type { Path, Problem } from './check.ts';
import type { Draft } from './draft.ts';
import type { Field } from './field.ts';
import type { Schema } from './schema.ts';

/** What every part of a form is given. */
export interface FieldProps<F extends Field = Field, D extends Draft = Draft> {
  readonly field: F;
  readonly draft: D;
  readonly onChange: (draft: Draft) => void;
  readonly path: Path;
  readonly depth: number;
  readonly form: Form;
  /** What people call it. */
  readonly label: string;
}

export interface Form {
  readonly root: Schema;
  /** Shows a field within another one. */
  readonly View: ComponentType<FieldProps>;
  /** Begins the ids of its elements. */
  readonly id: string;
  /** Those that are shown now. */
  readonly problems: readonly Problem[];
}

export const idOf = ({ id }: Form, path: Path): string => [id, ...path].join('/');

/** The problems that a field shows itself: its own, and those of places that it shows no field for. */
export function problemsOf({ problems }: Form, field: Field, path: Path): readonly string[] {
  return problems.flatMap(({ path: at, message }) => {
    if (!path.every((step, index) => at[index] === step)) return [];
    const rest = at.slice(path.length);
    if (rest.length > 0 && hasField(field, rest[0])) return [];
    return [rest.length === 0 ? message : `${rest.join('.')} ${message}`];
  });
}

function hasField(field: Field, step: string | number | undefined): boolean {
  if (field.kind === 'object') return field.properties.some(({ name }) => name === step);
  // A branch has the path of its union, and shows what is below it.
  return field.kind === 'list' || field.kind === 'union';
}
