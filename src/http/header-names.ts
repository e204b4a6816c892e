import type { OpenApiDocument } from './validator.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId?: string; parameters?: object[] }>>>>;
  readonly components?: { readonly parameters?: Readonly<Record<string, Parameter>> };
}

/** The headers that a document declares for an operation, spelled as it spells them. */
export function headerNames(document: OpenApiDocument, operationId: string): string[] {
  // The validator reads the same document, and refuses to start with one of another shape.
  const { paths, components } = document as unknown as Document;
  const operation = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .find((each) => each.operationId === operationId);
  return (operation?.parameters ?? [])
    .map((parameter) => resolve(parameter, components?.parameters ?? {}))
    .filter((parameter) => parameter?.in === 'header')
    .map(({ name }) => name);
}

function resolve(parameter: object, components: Readonly<Record<string, Parameter>>): Parameter {
  const { $ref } = parameter as { $ref?: string };
  return ($ref === undefined ? parameter : components[$ref.split('/').at(-1) ?? '']) as Parameter;
}
