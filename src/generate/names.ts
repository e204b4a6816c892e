/** A string as a literal in single quotes. */
export const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** `pet-store` as `PetStore`. */
export const pascalCase = (name: string): string =>
  name.replaceAll(
    /(?:^|[^\p{L}\p{N}]+)([\p{L}\p{N}])?/gu,
    (_, letter: string | undefined) => letter?.toUpperCase() ?? '',
  );
