import { endpoints } from './endpoint.ts';
import type { Serve } from './serve.ts';

export const documentEndpoints = endpoints({
  getOpenApiDocument: {
    on: 'GET /openapi.json',
    access: 'none',
    budget: 'read',
    summary: 'Get this API as an OpenAPI document',
    answers: { 200: { contentType: 'application/json', description: 'An OpenAPI 3.1 document.' } },
  },
});

/** @param write creates the document; called once, for the first request */
export function documentRoutes(serve: Serve, write: () => Promise<string>): void {
  let document: Promise<string> | undefined;
  serve(documentEndpoints.getOpenApiDocument, async (ctx) => {
    document ??= write();
    ctx.type = 'application/json';
    ctx.body = await document;
  });
}
