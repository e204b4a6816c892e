/** `pet-store` as `PetStore`. */
export const toPascalCase = (name: string): string =>
  name.replaceAll(
    /(?:^|[^\p{L}\p{N}]+)([\p{L}\p{N}])?/gu,
    (_, letter: string | undefined) => letter?.toUpperCase() ?? '',
  );
