import type { JsonSchema } from '@valibot/to-json-schema';
import type { Grants } from '../../core/capability-table.ts';
import { type ErrorCode, errorTable } from '../../core/errors.ts';
import { type Capability, isOrganizationCapability } from '../../roles/capabilities.ts';
import { type Access, allowsImpersonation, type Endpoint, type OtherContent } from '../endpoint.ts';
import { reference, refusal, schemaOf, usualHeaders } from './components.ts';
import { requirementOf } from './requirement.ts';

/** The settings of the service that operations depend on. */
interface OperationSettings {
  bearerTokens: boolean;
  impersonation: boolean;
  grants: Grants;
}

export function operationOf(endpoint: Endpoint, settings: OperationSettings): Record<string, unknown> {
  const { bearerTokens, grants } = settings;
  const { access, requires, everywhere, summary, description, body, text } = endpoint;
  const details = [description, requires && requirementOf(grants, requires, everywhere), accessNotes[access]]
    .filter(Boolean)
    .join(' ');
  const parameters = [
    ...pathParameters(endpoint),
    ...queryParameters(endpoint),
    ...(bearerTokens ? [transportParameter] : []),
  ];
  return {
    summary,
    ...(details && { description: details }),
    security: securityOf(access, bearerTokens),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBody(schemaOf(body)) }),
    ...(text !== undefined && { requestBody: textBody(text) }),
    responses: { ...successes(endpoint, bearerTokens), ...refusals(endpoint, settings) },
  };
}

function securityOf(access: Access, bearerTokens: boolean): Record<string, never[]>[] {
  if (access === 'none') return [];
  const schemes = bearerTokens ? ['session', 'bearer'] : ['session'];
  // An empty object: the endpoint also works without a session.
  return [...schemes.map((scheme) => ({ [scheme]: [] })), ...(access === 'any_session_or_none' ? [{}] : [])];
}

const transportParameter = {
  name: 'Latchkey-Session',
  in: 'header',
  required: false,
  schema: { type: 'string', enum: ['bearer'] },
  description:
    'The client uses bearer tokens: a new session token is in the body, and the response sets no cookie.',
};

const accessNotes: Record<Access, string> = {
  none: '',
  any_session_or_none: 'Also works in a recovery session.',
  any_session: 'Also works in a recovery session.',
  full_session: '',
  fresh: 'Needs fresh authentication, with a passkey if the caller has one.',
  fresh_or_recovering:
    'Needs a recovery session, or fresh authentication, with a passkey if the caller has one.',
};

const requestBody = (schema: JsonSchema) => ({
  required: (schema.required ?? []).length > 0,
  content: { 'application/json': { schema } },
});

const textBody = (description: string) => ({
  description,
  required: true,
  content: { 'text/plain': { schema: { type: 'string' } } },
});

const pathParameters = ({ on }: Endpoint) =>
  [...on.matchAll(/[:*](\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

function queryParameters({ query }: Endpoint) {
  const { properties = {}, required = [] } = query ? schemaOf(query) : {};
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = property as JsonSchema;
    // The schema has the default as a string, because query values are strings. The document must have the integer.
    if (schema.type === 'integer' && 'default' in schema) schema.default = Number(schema.default);
    return {
      name,
      in: 'query',
      required: required.includes(name),
      schema,
      ...(description && { description }),
    };
  });
}

const phrases: Record<string, string> = { 200: 'Success.', 201: 'Created.', 204: 'Success, without a body.' };

const successes = ({ answers, returnsToken }: Endpoint, bearerTokens: boolean) =>
  Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => {
      const description = isOther(answer) ? answer.description : phrases[status];
      return [
        status,
        {
          description,
          headers: usualHeaders,
          ...(answer && { content: contentOf(answer, bearerTokens && returnsToken === true) }),
        },
      ];
    }),
  );

type Answer = NonNullable<Endpoint['answers'][number]>;

const isOther = (answer: Answer | null): answer is OtherContent => answer !== null && 'contentType' in answer;

const contentOf = (answer: Answer, hasToken: boolean) =>
  isOther(answer)
    ? Object.fromEntries(
        [answer.contentType, answer.otherContentType]
          .filter((type) => type !== undefined)
          .map((type) => [type, { schema: {} }]),
      )
    : { 'application/json': { schema: hasToken ? withToken(schemaOf(answer)) : schemaOf(answer) } };

const withToken = ({ properties, ...schema }: JsonSchema): JsonSchema => ({
  ...schema,
  properties: { ...properties, sessionToken },
});

const sessionToken = {
  type: 'string',
  description: 'The new session token. Only for clients that use bearer tokens.',
} as const;

/** The error responses of an endpoint, by status. */
function refusals(endpoint: Endpoint, { bearerTokens, impersonation }: OperationSettings) {
  // A request with both a cookie and a bearer token is invalid.
  const both: ErrorCode[] = bearerTokens ? ['invalid_request'] : [];
  const impersonating: ErrorCode[] = impersonation && refusesImpersonation(endpoint) ? ['impersonating'] : [];
  const codes = [...new Set([...codesOf(endpoint), ...impersonating, ...both])];
  const statuses = [...new Set(codes.map((code) => errorTable[code].status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const [first, ...more] = codes.filter((code) => errorTable[code].status === status);
      if (first === undefined) throw new TypeError(`no code has status ${status}`);
      return [status, more.length === 0 ? reference('responses', first) : refusal(first, ...more)];
    }),
  );
}

const needsSession: Record<Access, readonly ErrorCode[]> = {
  none: [],
  any_session_or_none: [],
  any_session: ['not_authenticated'],
  full_session: ['not_authenticated', 'recovery_session'],
  fresh: ['not_authenticated', 'recovery_session', 'passkey_required', 'reauthentication_required'],
  fresh_or_recovering: ['not_authenticated', 'passkey_required', 'reauthentication_required'],
};

/** Whether an impersonator can get `impersonating`: for a change, for fresh authentication, or for a right of an admin. */
const refusesImpersonation = (endpoint: Endpoint): boolean =>
  !allowsImpersonation(endpoint) || endpoint.access.startsWith('fresh') || endpoint.requires !== undefined;

/** Callers who are neither members of the organization nor superadmins get `not_found`. */
const refusalsFor = (capability: Capability): readonly ErrorCode[] =>
  isOrganizationCapability(capability)
    ? ['forbidden', 'passkey_required', 'not_found']
    : ['forbidden', 'passkey_required'];

/** The codes in `errors`, the codes that follow from the other fields, and the codes that all endpoints share. */
function codesOf({ on, access, requires, query, errors = [] }: Endpoint): ErrorCode[] {
  const readsOnly = on.startsWith('GET ');
  return [
    ...(readsOnly
      ? ([] as const)
      : (['cross_origin_request', 'body_too_large', 'request_timeout', 'unsupported_media_type'] as const)),
    ...(readsOnly && !query ? ([] as const) : (['invalid_request'] as const)),
    ...needsSession[access],
    ...(requires ? refusalsFor(requires) : []),
    ...errors,
    'rate_limited',
    'internal_error',
    'unavailable',
  ];
}
