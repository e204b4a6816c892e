import express, { type RequestHandler, type Router } from 'express';

/** HTML for people by path. */
export type Pages = Readonly<Record<string, () => string>>;
/** Folders of static files by path; what lies in their `assets` has another name whenever it is something else. */
export type Folders = Readonly<Record<string, string>>;

/** Nothing from elsewhere, no inline script or style. */
const HEADERS = {
  'Content-Security-Policy': "default-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

/** Serves pages; that at `/` to those who ask for HTML alone, as programs want to be told that it is no operation. */
export function pages(pages: Pages): RequestHandler {
  return (request, response, next) => {
    const page = Object.hasOwn(pages, request.path) ? pages[request.path] : undefined;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isWanted = request.path !== '/' || request.headers.accept?.includes('text/html');
    if (!page || !isRead || !isWanted) return next();
    const [path = '/', query] = request.originalUrl.split(/\?(.*)/s);
    // Relative links need the slash. So is this one: somebody in front may have taken a part of the path away.
    if (!path.endsWith('/') && !path.endsWith('.html')) {
      const last = path.slice(path.lastIndexOf('/') + 1);
      return response.redirect(302, `./${last}/${query === undefined ? '' : `?${query}`}`);
    }
    response.set(HEADERS).set('Cache-Control', 'no-cache').type('html').send(page());
  };
}

/** Serves folders of files, each at its path. */
export function staticFolders(folders: Folders): Router {
  const router = express.Router();
  for (const [path, folder] of Object.entries(folders)) {
    router.use(path, (_request, response, next) => {
      response.set(HEADERS);
      next();
    });
    router.use(`${path}/assets`, express.static(`${folder}/assets`, { immutable: true, maxAge: '1y' }));
    router.use(path, express.static(folder, { etag: true, maxAge: '1h' }));
  }
  return router;
}
