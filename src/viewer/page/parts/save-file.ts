/** Has the browser save bytes as a file; characters that file systems refuse become `_`. */
export function downloadFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no file system takes them
  link.download = name.replace(/[\u0000-\u001f\u007f/\\:*?"<>|]+/g, '_');
  link.click();
  // The browser has taken hold of it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
