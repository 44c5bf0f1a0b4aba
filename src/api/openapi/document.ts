import packageJson from '../../../package.json' with { type: 'json' };
import { type ErrorCode, errorTable } from '../../core/errors.ts';
import { chapters } from './chapters.ts';
import { headers, refusalResponses, resources } from './components.ts';
import { operationOf } from './operation.ts';

/** The parts of an OpenAPI 3.1 document that other code reads. */
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Record<string, unknown>>>;
  components: Record<string, Record<string, unknown>>;
}

/** The settings of the service that clients see. */
export interface Setting {
  /** The prefix of the router. */
  prefix: string;
  /** Depends on whether the origin is https. */
  cookieName: string;
}

const description = `Passkey-first accounts, sessions, roles and invitations.

Errors are problem details (RFC 9457). Branch on \`code\`. Requests are checked in this order: origin (403), rate limit
(429), session (401), its kind and freshness and the caller's permissions (403), body (415, 413, 400), existence (404),
state (409, 410). Mutations from another origin are rejected. A request without an Origin is not from a browser and is
allowed.`;

const cookie =
  'An HttpOnly cookie with the session token. Every sign-in, step-up and change of role sets a new one.';

/** Generates the document from the declarations of the endpoints. */
export function openApiDocument({ prefix, cookieName }: Setting): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  for (const { name, endpoints } of chapters) {
    for (const [operationId, endpoint] of Object.entries(endpoints)) {
      const [method = '', path = ''] = endpoint.on.split(' ');
      const templated = `${prefix}${path.replaceAll(/:(\w+)/g, '{$1}')}`;
      paths[templated] ??= {};
      paths[templated][method.toLowerCase()] = { operationId, tags: [name], ...operationOf(endpoint) };
    }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Latchkey',
      version: packageJson.version,
      summary: packageJson.description,
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The application that mounts the router.' }],
    tags: chapters.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      schemas: resources(),
      headers,
      responses: refusalResponses(codesIn(paths)),
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: cookieName, description: cookie } },
    },
  } as OpenApiDocument;
}

/** The codes of the error responses that operations refer to. */
function codesIn(paths: OpenApiDocument['paths']): ErrorCode[] {
  const text = JSON.stringify(paths);
  const codes = Object.keys(errorTable) as ErrorCode[];
  return codes.filter((code) => text.includes(`"#/components/responses/${code}"`));
}
