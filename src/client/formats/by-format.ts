/** What a table holds for a format. @throws TypeError for a format that does not exist. */
export function entryForFormat<Table extends object, F extends keyof Table & string>(
  table: Table,
  format: F,
): Table[F] {
  if (Object.hasOwn(table, format)) return table[format];
  const known = Object.keys(table).join(', ');
  throw new TypeError(`${JSON.stringify(format)} is no format of a model provider; the formats are: ${known}`);
}
