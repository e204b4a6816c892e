import { schemaSets } from '../spec/golden-messages.ts';

const [ors, trace] = schemaSets;

/** Returns the validator of a schema of `spec/ors.openapi.yaml`. */
export const orsValidator = (name: string) => ors.validator(name);

/** Returns the validator of a definition of `spec/trace.schema.json`. */
export const traceValidator = (name: string) => trace.validator(name);
