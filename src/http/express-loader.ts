import { readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AppOptions } from './express-app.ts';
import { expressHandler } from './express-prototypes.ts';
import type { RequestHandler } from './node-server.ts';
import { describedOperation } from './openapi-operation.ts';
import { failure } from './pipeline.ts';
import { sendResponse } from './send-response.ts';

/** By then the first requests after the start have been answered. */
const LOAD_AFTER_MS = 1_000;

export interface LazyAppOptions extends AppOptions {
  /** Called when loading starts, which blocks the event loop; the returned function is called at its end. */
  readonly watchLoading?: () => () => void;
  /** Loads the application a second after the start, even if no request needs it. @default true */
  readonly preload?: boolean;
}

export type LazyApp = ReturnType<typeof lazyApp>;

/**
 * Returns a handler that loads the Express application with the first request that needs it, or a second after the start:
 * Express and its validator take longer to load than the rest of a server. Requests wait meanwhile, with unread bodies.
 *
 * @throws TypeError if the document cannot be read.
 */
export function lazyApp(options: LazyAppOptions) {
  for (const operationId of Object.keys(options.operations)) describedOperation(options.document, operationId);
  let app: RequestHandler | undefined;
  let loading: Promise<void> | undefined;
  const load = () => {
    clearTimeout(timer);
    loading ??= loadApp(options)
      .then((loaded) => {
        app = loaded;
      })
      .finally(() => {
        // After a failure, for example without file descriptors, the next request retries.
        loading = undefined;
      });
    return loading;
  };
  const preload = () => load().catch(options.onError);
  const timer = options.preload === false ? undefined : setTimeout(preload, LOAD_AFTER_MS).unref();
  const handler: RequestHandler = (request, response, next) => {
    request.url = pathOf(request.url);
    if (app) return app(request, response, next);
    load()
      .then(() => response.closed || app?.(request, response, next))
      .catch((error) =>
        sendResponse(response, failure(error, options.onError, request.url, options.describeFailure), options),
      );
  };
  return {
    handler,
    /** Cancels pending loading, or waits for it if it has started. */
    async close() {
      clearTimeout(timer);
      await loading?.catch(() => {});
    },
  };
}

/**
 * Returns the path and query of a request target. Clients that treat this server as a proxy send a whole URL, perhaps
 * without a path or with an invalid host, which Express would answer with its own error page.
 */
function pathOf(target = '/'): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

/** Loads in steps, so that other requests are handled in between. */
async function loadApp(options: LazyAppOptions): Promise<RequestHandler> {
  const loaded = options.watchLoading?.();
  try {
    await requireInSteps('express');
    await requireInSteps('express-openapi-validator');
    skipUnusedWork();
    const { createApp } = await import('./express-app.ts');
    return expressHandler(await createApp(options));
  } finally {
    loaded?.();
  }
}

const require = createRequire(import.meta.url);

/** A call of `require` in a line that is not indented, so at the top level of its module. */
const REQUIRED = /^\S.*?\brequire\((['"])(.+?)\1\)/gm;

/**
 * Loads a CommonJS package as `require` does, but its modules one by one, dependencies first, and lets other work run in
 * between: as a whole, some 200 modules block for a tenth of a second. Modules that require each other are loaded together.
 * What is not found here is loaded by the module that requires it.
 */
async function requireInSteps(name: string): Promise<void> {
  const entered = new Map<string, number>();
  const open: string[] = [];
  /** Returns the first entered module that is open and that this one leads to: itself, unless it is part of a cycle. */
  const load = async (file: string): Promise<number> => {
    const own = entered.size;
    entered.set(file, own);
    open.push(file);
    let first = own;
    await nextTurn();
    for (const dependency of requiredBy(file)) {
      const at = entered.get(dependency);
      if (at === undefined) first = Math.min(first, await load(dependency));
      else if (open.includes(dependency)) first = Math.min(first, at);
    }
    if (first === own) {
      tryTo(() => require(file));
      open.length = open.indexOf(file);
      await nextTurn();
    }
    return first;
  };
  await load(require.resolve(name));
}

/** Files that a module requires at its top level and that are not loaded. */
function requiredBy(file: string): string[] {
  if (!/\.c?js$/.test(file)) return [];
  const { resolve } = createRequire(file);
  return [...readFileSync(file, 'utf8').matchAll(REQUIRED)]
    .map(([, , name = '']) => name)
    .filter((name) => !isBuiltin(name))
    .flatMap((name) => tryTo(() => resolve(name)) ?? [])
    .filter((dependency) => require.cache[dependency] === undefined);
}

/** Optional dependencies can be missing: the module that requires one handles that, or fails later with the reason. */
function tryTo<Value>(act: () => Value): Value | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

interface DocumentSchemas {
  OpenAPISchemaValidator: new (options: { validateApiSpec: boolean }) => object;
}

interface Framework {
  readonly OpenAPIFramework: {
    readonly prototype: { loadSpec(document: string | object, ...options: object[]): unknown };
  };
}

type Schema = { readonly $ref?: string } | null | undefined;

interface Preprocessor {
  readonly SchemaPreprocessor: { readonly prototype: { resolveSchema(schema: Schema): Schema } };
}

/** Finds no compiled schema. */
const NO_COMPILER = { getSchema: () => undefined };

/**
 * Keeps the validator from doing what has no effect here but takes longer than all else: it compiles the schema of OpenAPI
 * documents, although it is not to validate its document; looks for references to other documents; and compiles each schema
 * that a request or a response refers to, in order to read it. It compiles the schemas of an operation with its first
 * request.
 */
function skipUnusedWork(): void {
  const schemas = partOfValidator<DocumentSchemas>('framework/openapi.schema.validator.js');
  if (schemas) {
    replaceOnce(
      schemas,
      'OpenAPISchemaValidator',
      (Validator) =>
        new Proxy(Validator, {
          construct: (_, [options]) => (options.validateApiSpec ? new Validator(options) : {}),
        }),
    );
  }
  const framework = partOfValidator<Framework>('framework/index.js');
  if (framework) {
    replaceOnce(
      framework.OpenAPIFramework.prototype,
      'loadSpec',
      (loadSpec) =>
        function (this: object, document: string | object, ...options: object[]) {
          return refersToOthers(document) ? loadSpec.call(this, document, ...options) : nextTurn(document);
        },
    );
  }
  const parser = partOfValidator<Preprocessor>('middlewares/parsers/schema.preprocessor.js');
  if (parser) {
    replaceOnce(
      parser.SchemaPreprocessor.prototype,
      'resolveSchema',
      (resolve) =>
        function (this: object, schema: Schema) {
          const inDocument = { ...this, ajv: NO_COMPILER, resolvedSchemaCache: new Map() };
          return (schema?.$ref && resolve.call(inDocument, schema)) || resolve.call(this, schema);
        },
    );
  }
}

const partOfValidator = <Part>(file: string) => tryTo((): Part => require(`express-openapi-validator/dist/${file}`));

/** Reports whether a document is a file, or refers to other ones. */
const refersToOthers = (document: string | object): boolean =>
  typeof document === 'string' || /"\$ref":"(?!#)/.test(JSON.stringify(document));

const REPLACED = Symbol.for('ors-kit: replaced');

/** Replaces a function of an object of the validator, which all servers of a process share, once. */
function replaceOnce<T extends object, Name extends keyof T>(
  holder: T & { [REPLACED]?: true },
  name: Name,
  replace: (original: T[Name]) => T[Name],
): void {
  if (holder[REPLACED]) return;
  holder[REPLACED] = true;
  holder[name] = replace(holder[name]);
}
