import express, { type Router } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';

/** An OpenAPI 3.1 document as parsed JSON, references to other files bundled in. */
export type OpenApiDocument = Readonly<Record<string, unknown>>;

type ApiSpec = Parameters<typeof OpenApiValidator.middleware>[0]['apiSpec'];

const validators = new WeakMap<OpenApiDocument, Map<boolean, Router>>();

/**
 * The middleware that holds requests, and in tests JSON answers, against the document. Building one takes a fifth of a
 * second, so all applications of a process share it.
 */
export function validator(document: OpenApiDocument, validateResponses: boolean): Router {
  const variants = validators.get(document) ?? new Map<boolean, Router>();
  validators.set(document, variants);
  const known = variants.get(validateResponses);
  if (known) return known;

  const router = express.Router();
  router.use(
    OpenApiValidator.middleware({
      // The validator writes into the document that it is given.
      apiSpec: structuredClone(document) as unknown as ApiSpec,
      validateRequests: { allowUnknownQueryParameters: true, coerceTypes: false },
      validateResponses,
      validateSecurity: false,
      validateApiSpec: false,
      fileUploader: false,
      useRequestUrl: true,
    }),
  );
  variants.set(validateResponses, router);
  return router;
}
