import { endpoints } from './contract.ts';

export const documentEndpoints = endpoints({
  readOpenApiDocument: {
    on: 'GET /openapi.json',
    access: 'anybody',
    budget: 'read',
    summary: 'Read this document',
    answers: { 200: { contentType: 'application/json', description: 'An OpenAPI 3.1 document.' } },
  },
});
