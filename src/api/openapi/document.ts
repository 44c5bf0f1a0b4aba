import type { JsonSchema } from '@valibot/to-json-schema';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Grants } from '../../core/capability-table.ts';
import { type ErrorCode, errorTable } from '../../core/errors.ts';
import type { FieldSet } from '../../core/field-set.ts';
import { builtInGrants } from '../../roles/grants.ts';
import { organizationRolesOf } from '../../roles/organization-roles.ts';
import { asServed, type Features, isAvailable } from '../availability.ts';
import { chapters } from './chapters.ts';
import { headers, reference, refusalResponses, resources } from './components.ts';
import { operationOf } from './operation.ts';
import { withOrganizationRoles } from './organization-roles.ts';
import { withOwnFields } from './own-fields.ts';

/** An OpenAPI 3.1 document. The type contains only the parts that other code reads. */
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Record<string, unknown>>>;
  components: Record<string, Record<string, unknown>>;
}

/** The settings that the document contains. */
export interface DocumentSettings {
  /** The prefix of the router. */
  prefix: string;
  /** The name of the session cookie. */
  cookieName: string;
  /** Whether the service accepts bearer tokens. */
  bearerTokens?: boolean;
  /** The own fields of the application. Absent: the document describes the endpoints without them. */
  fields?: Pick<FieldSet, 'isEmpty' | 'jsonSchemas' | 'requiredNames'>;
  /** What decides which endpoints exist. Absent: as with the default options. */
  features?: Features;
  /** What the roles grant. Absent: the built-in capabilities and organization roles. */
  grants?: Grants;
}

/** The features of a service with the default options. */
export const usualFeatures: Features = {
  organizations: { createdBy: 'admin', perUser: null },
  adminInvitations: true,
  signUpMode: 'open',
  impersonation: false,
  webhooks: { allowedNetworks: [] },
  auditLog: { isPublic: false, witnessFor: [] },
};

const descriptionFor = ({
  organizations,
}: Features): string => `Passkey-first accounts, sessions, roles and invitations.

Sessions:

- A sign-up or a sign-in opens a full session.
- A recovery code or a recovery link opens a recovery session, which can only restore access to the account.
- Some endpoints need fresh authentication: a full session whose last sign-in, sign-up, step-up or completed recovery
  is recent. An authentication stays fresh for ten minutes, unless the service configures another time. If the error is
  \`reauthentication_required\`, do a step-up, then repeat the request.

Roles:

- Every account has one role in the service: \`user\`, \`admin\` or \`superadmin\`.
${
  organizations === null
    ? ''
    : `- Every member of an organization has one role in that organization: \`user\`, \`admin\` or a role that the
  service configures. A member with the role \`admin\` is called an organization admin.
- "Admins within the organizations they manage" are accounts with the role \`admin\` that are also organization admins.
`
}
Error responses are problem details (RFC 9457). Use \`code\` to distinguish errors. A request is checked in this order:

1. The origin (403). Mutations from another site are rejected. A request with neither \`Origin\` nor
   \`Sec-Fetch-Site\` is allowed, because it does not come from a browser.
2. The rate limit of the IP address (429).
3. The session (401), its kind and its freshness (403).
4. The rate limit of the account (429).
5. The permissions of the caller (403). For an organization or a user that the caller has no access to, the status is
   404.
6. The body and the query (415, 413, 408, 400).
7. The rate limit of wrong guesses for the username (429), if a password sign-in or a recovery contains a username.
8. The existence of other resources (404), then their state (409, 410).

All times are RFC 3339 strings in UTC.

The service also serves scripts for pages without a bundler, such as \`/elements/index.js\` below the same prefix. They
are not part of this document.

A successful sign-up, sign-in or step-up also sets an encrypted device cookie. With this cookie, wrong passwords and
recovery codes count against a rate limit of the browser, and not against the rate limit of the username. So strangers
cannot block password sign-in on a browser that has signed in before.`;

const cookie =
  'An HttpOnly cookie with the session token. Every sign-up, sign-in, step-up and recovery sets a new token. A change of the caller’s own role also sets a new token.';

const bearer =
  'The session token of a native app or a program. A request with the header `Latchkey-Session: bearer` that opens a session gets the token as `sessionToken`, and no cookie. Requests with a bearer token get each new token in the same way. A request must not have both a bearer token and a session cookie.';

/** Creates the document from the declarations of the endpoints. */
export function openApiDocument({
  prefix,
  cookieName,
  bearerTokens = false,
  fields,
  features = usualFeatures,
  grants = builtInGrants,
}: DocumentSettings): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  const tags: { name: string; description: string }[] = [];
  for (const { name, description, endpoints } of chapters) {
    const available = Object.entries(endpoints).filter(([, endpoint]) => isAvailable(endpoint, features));
    if (available.length > 0) tags.push({ name, description });
    for (const [operationId, endpoint] of available) {
      const [method = '', path = ''] = endpoint.on.split(' ');
      const templated = `${prefix}${path.replaceAll(/[:*](\w+)/g, '{$1}')}`;
      paths[templated] ??= {};
      paths[templated][method.toLowerCase()] = {
        operationId,
        tags: [name],
        ...operationOf(asServed(endpoint, features), {
          bearerTokens,
          grants,
          impersonation: features.impersonation,
        }),
      };
    }
  }
  const document = {
    openapi: '3.1.1',
    info: {
      title: 'Latchkey',
      version: packageJson.version,
      summary: packageJson.description,
      description: descriptionFor(features),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The application that mounts the router.' }],
    tags,
    paths,
    components: {
      schemas: usedSchemas(paths),
      headers,
      responses: refusalResponses(codesIn(paths)),
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: cookieName, description: cookie },
        ...(bearerTokens && { bearer: { type: 'http', scheme: 'bearer', description: bearer } }),
      },
    },
  } as OpenApiDocument;
  return withOrganizationRoles(
    withOwnFields(document, fields) as object,
    organizationRolesOf(grants),
  ) as OpenApiDocument;
}

/** The named schemas that operations and other schemas refer to. */
function usedSchemas(paths: OpenApiDocument['paths']): Record<string, JsonSchema> {
  const all = Object.entries(resources());
  const used = new Set<string>();
  const follow = (node: object): void => {
    const text = JSON.stringify(node);
    for (const [name, schema] of all) {
      if (used.has(name) || !text.includes(`"#/components/schemas/${name}"`)) continue;
      used.add(name);
      follow(schema as object);
    }
  };
  follow({ paths, problem: reference('schemas', 'Problem') });
  return Object.fromEntries(all.filter(([name]) => used.has(name)));
}

/** The codes of the error responses that operations refer to. */
function codesIn(paths: OpenApiDocument['paths']): ErrorCode[] {
  const text = JSON.stringify(paths);
  const codes = Object.keys(errorTable) as ErrorCode[];
  return codes.filter((code) => text.includes(`"#/components/responses/${code}"`));
}
