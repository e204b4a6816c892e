export { appendAll, largest, smallest } from './arrays.ts';
export { fromBase64, toBase64 } from './base64.ts';
export type { Span } from './decode-text.ts';
export { errorCode, errorMessage, errorName, errorStack, isInstance, propertyOf } from './errors.ts';
export { LEAST_SECRET_LENGTH } from './secret-matcher.ts';
export { createRedactor, masked, type Redactor, SECRET_MARKER } from './secrets.ts';
