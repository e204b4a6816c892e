/** A picture as the browser takes it, or why it cannot be shown. */
export type ImageSource = { readonly url: string } | { readonly problem: string };

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Checks what is said to be a picture, before the browser is given it. */
export function toImageSource(data: string, mimeType: string): ImageSource {
  if (!/^image\/[\w.+-]{1,80}$/.test(mimeType)) {
    return { problem: `Its type is ${JSON.stringify(mimeType)}, and no picture.` };
  }
  const text = /\s/.test(data) ? data.replaceAll(/\s+/g, '') : data;
  if (text === '') return { problem: 'It has no data.' };
  if (!BASE64.test(text)) return { problem: problemOf(text) };
  if (text.replace(/=+$/, '').length % 4 === 1) {
    return { problem: `Its data is no base64: the last of ${text.length} characters is one too many or too few.` };
  }
  return { url: `data:${mimeType};base64,${text}` };
}

function problemOf(text: string): string {
  const at = text.search(/[^A-Za-z0-9+/]/);
  return `Its data is no base64: character ${at + 1} of ${text.length} is ${JSON.stringify(text[at])}.`;
}

/** Bytes that base64 stands for. */
export function base64ByteLength(data: string): number {
  const length = data.length - (data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0);
  return Math.floor((length * 3) / 4);
}
