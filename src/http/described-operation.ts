import type { OpenApiDocument } from './validator.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
}

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly object[];
  readonly requestBody?: { readonly required?: boolean };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly parameters?: Readonly<Record<string, Parameter>> };
}

/** What a document says of an operation that the validator leaves to us. */
export interface DescribedOperation {
  /** The headers that it declares, spelled as it spells them. */
  readonly headers: readonly string[];
  readonly requiresBody: boolean;
}

export function describedOperation(document: OpenApiDocument, operationId: string): DescribedOperation {
  // The validator reads the same document, and refuses to start with one of another shape.
  const { paths, components } = document as unknown as Document;
  const operation = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .find((each) => each.operationId === operationId);
  const parameters = (operation?.parameters ?? []).map((each) => resolve(each, components?.parameters ?? {}));
  return {
    headers: parameters.filter((parameter) => parameter?.in === 'header').map(({ name }) => name),
    requiresBody: operation?.requestBody?.required ?? false,
  };
}

function resolve(parameter: object, components: Readonly<Record<string, Parameter>>): Parameter {
  const { $ref } = parameter as { $ref?: string };
  return ($ref === undefined ? parameter : components[$ref.split('/').at(-1) ?? '']) as Parameter;
}
