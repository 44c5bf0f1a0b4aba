import type { Runtime } from '../core/runtime.ts';
import { sessionCookieName } from '../http/cookies.ts';
import { endpoints } from './endpoint.ts';
import type { Serve } from './serve.ts';

export const documentEndpoints = endpoints({
  readOpenApiDocument: {
    on: 'GET /openapi.json',
    access: 'none',
    budget: 'read',
    summary: 'Get this document',
    answers: { 200: { contentType: 'application/json', description: 'An OpenAPI 3.1 document.' } },
  },
});

export function documentRoutes(serve: Serve, { config }: Runtime, prefix: string): void {
  let document: Promise<string> | undefined;
  serve(documentEndpoints.readOpenApiDocument, async (ctx) => {
    document ??= writeDocument({ prefix, cookieName: sessionCookieName(config) });
    ctx.type = 'application/json';
    ctx.body = await document;
  });
}

/** The code that describes the endpoints is loaded with the first request for the document. */
async function writeDocument(as: { prefix: string; cookieName: string }): Promise<string> {
  const { openApiDocument } = await import('./openapi/document.ts');
  return JSON.stringify(openApiDocument(as));
}
