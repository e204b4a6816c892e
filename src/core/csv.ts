/** Text that spreadsheets treat as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Formats a row as RFC 4180 CSV. Text that a spreadsheet would run as a formula is prefixed with an apostrophe. */
export const csvRow = (cells: readonly (string | number | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`;

function csvCell(cell: string | number | null): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
