import packageJson from '../../../package.json' with { type: 'json' };
import { type ErrorCode, errorTable } from '../../core/errors.ts';
import { chapters } from './chapters.ts';
import { headers, refusalResponses, resources } from './components.ts';
import { operationOf } from './operation.ts';

/** An OpenAPI 3.1 document, as far as others look into it. */
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Record<string, unknown>>>;
  components: Record<string, Record<string, unknown>>;
}

/** How the service is set up, as far as its clients see it. */
export interface Setting {
  /** Where the router is mounted. */
  prefix: string;
  /** It is another one where the origin is plain http on localhost. */
  cookieName: string;
}

const description = `Accounts, sessions, roles and invitations, passkeys first.

Refusals are problem details (RFC 9457): decide by \`code\`. They come in one order: another site's request 403, rate
limit 429, session 401, its kind, freshness and role 403, body 415, 413, 400, existence 404, state 409 and 410. A
mutation from another origin is refused; one that names no origin is not a browser's, and passes.`;

const cookie =
  'HttpOnly: the token is in no body. A new one comes with every sign-in, step-up and change of role.';

/** Describes every endpoint by what its requests are checked against. */
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
    servers: [{ url: '/', description: 'The application that has mounted the router.' }],
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

/** The codes of the refusals that the operations refer to. */
function codesIn(paths: OpenApiDocument['paths']): ErrorCode[] {
  const text = JSON.stringify(paths);
  const codes = Object.keys(errorTable) as ErrorCode[];
  return codes.filter((code) => text.includes(`"#/components/responses/${code}"`));
}
