import express, { type RequestHandler } from 'express';
import type * as OpenApiValidator from 'express-openapi-validator';

/** An OpenAPI 3.1 document as parsed JSON, references to other files bundled in. */
export type OpenApiDocument = Readonly<Record<string, unknown>>;

type ApiSpec = Parameters<typeof OpenApiValidator.middleware>[0]['apiSpec'];

const validators = new WeakMap<OpenApiDocument, Map<boolean, Promise<RequestHandler>>>();

/** The middleware that holds requests, and in tests JSON answers, against the document. */
export const validator =
  (document: OpenApiDocument, validateResponses: boolean): RequestHandler =>
  (request, response, next) => {
    loadValidator(document, validateResponses).then((validate) => validate(request, response, next), next);
  };

/**
 * Loading the validator and building its middleware takes longer than all else that a server does to start, so it is
 * not done before a request needs it or this asks for it, and all applications of a process share it.
 */
export function loadValidator(document: OpenApiDocument, validateResponses: boolean): Promise<RequestHandler> {
  const variants = validators.get(document) ?? new Map<boolean, Promise<RequestHandler>>();
  validators.set(document, variants);
  const known = variants.get(validateResponses);
  if (known) return known;
  const loading = build(document, validateResponses);
  variants.set(validateResponses, loading);
  return loading;
}

async function build(document: OpenApiDocument, validateResponses: boolean): Promise<RequestHandler> {
  const { middleware } = await import('express-openapi-validator');
  const router = express.Router();
  router.use(
    middleware({
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
  return router;
}
