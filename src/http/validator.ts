import express, { type Router } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { type CheckedParts, checkedDocument } from './checked-document.ts';

/** An OpenAPI 3.1 document as parsed JSON, references to other files bundled in. */
export type OpenApiDocument = Readonly<Record<string, unknown>>;

type ApiSpec = Parameters<typeof OpenApiValidator.middleware>[0]['apiSpec'];

const validators = new WeakMap<OpenApiDocument, Map<string, Router>>();

export interface ValidatorOptions extends CheckedParts {
  /** Refuses parameters of the query that the document does not declare. */
  readonly strictQuery: boolean;
}

/**
 * The middleware that holds requests, and in tests JSON answers, against the document. Building one takes a tenth of a
 * second, so all applications of a process share it.
 */
export function validator(document: OpenApiDocument, options: ValidatorOptions): Router {
  const variants = validators.get(document) ?? new Map<string, Router>();
  validators.set(document, variants);
  const variant = JSON.stringify(options);
  const known = variants.get(variant);
  if (known) return known;

  const router = express.Router();
  router.use(
    OpenApiValidator.middleware({
      // The validator writes into the document that it is given.
      apiSpec: checkedDocument(document, options) as unknown as ApiSpec,
      validateRequests: { allowUnknownQueryParameters: !options.strictQuery, coerceTypes: false },
      validateResponses: options.responses,
      validateSecurity: false,
      validateApiSpec: false,
      fileUploader: false,
      useRequestUrl: true,
    }),
  );
  variants.set(variant, router);
  return router;
}
