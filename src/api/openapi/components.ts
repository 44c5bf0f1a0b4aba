import { type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { type ErrorCode, errorTable } from '../../core/errors.ts';
import type { ProblemDetails } from '../../http/problem.ts';
import { auditEventResource, ownEventResource } from '../audit.ts';
import { invitationPreviewResource, invitationResource } from '../invitations.ts';
import {
  organizationInvitationPreviewResource,
  organizationInvitationResource,
} from '../organization-invitations.ts';
import { memberResource, organizationResource } from '../organizations.ts';
import { overviewResource } from '../overview.ts';
import { creationOptionsResource, passkeyResource, requestOptionsResource } from '../passkey-schemas.ts';
import { namedUserResource, sessionResource, userResource } from '../resources.ts';
import { accountResource } from '../sessions.ts';
import { webhookResource } from '../webhooks.ts';

const problem = v.object({
  type: v.pipe(v.string(), v.description('`urn:latchkey:error:`, followed by the code.')),
  title: v.pipe(v.string(), v.description('What happened. Safe to show to users.')),
  status: v.pipe(v.number(), v.integer()),
  code: v.pipe(
    v.picklist(Object.keys(errorTable) as ProblemDetails['code'][]),
    v.description('The stable name of the error. Use it to distinguish errors.'),
  ),
  nextStep: v.pipe(v.string(), v.description('What to do next. Safe to show to users.')),
  detail: v.exactOptional(
    v.pipe(v.string(), v.description('Details of this occurrence of the error. Safe to show to users.')),
  ),
  reason: v.exactOptional(
    v.pipe(v.string(), v.description('A stable name that is more specific than the code.')),
  ),
  errors: v.exactOptional(
    v.pipe(
      v.array(v.object({ path: v.string(), message: v.string() })),
      v.description(
        'The invalid values in the request, at most 20. `path` is dotted, for example `credential.id`, or empty for the whole request.',
      ),
    ),
  ),
}) satisfies v.GenericSchema<ProblemDetails>;

const named = {
  User: userResource,
  NamedUser: namedUserResource,
  Account: accountResource,
  Passkey: passkeyResource,
  CreationOptions: creationOptionsResource,
  RequestOptions: requestOptionsResource,
  Session: sessionResource,
  Invitation: invitationResource,
  InvitationPreview: invitationPreviewResource,
  Organization: organizationResource,
  Member: memberResource,
  OrganizationInvitation: organizationInvitationResource,
  OrganizationInvitationPreview: organizationInvitationPreviewResource,
  AuditEvent: auditEventResource,
  OwnEvent: ownEventResource,
  Webhook: webhookResource,
  ServiceOverview: overviewResource,
  Problem: problem,
};

const conversion = {
  target: 'draft-2020-12',
  // The document describes what clients send, before the schemas trim values and fill in defaults.
  typeMode: 'input',
  // `v.check` cannot be converted to JSON Schema. The `v.metadata` next to a check describes which values pass.
  errorMode: 'ignore',
  definitions: named,
  overrideRef: ({ referenceId }: { referenceId: string }) => `#/components/schemas/${referenceId}`,
} as const;

export const resources = (): Record<string, JsonSchema> => toJsonSchemaDefs(named, conversion);

/** Converts a schema to JSON Schema. A named schema inside becomes a reference. */
export function schemaOf(schema: v.GenericSchema): JsonSchema {
  const { $schema: _, $defs: __, ...converted } = toJsonSchema(schema, conversion);
  return converted;
}

export const reference = (kind: 'schemas' | 'headers' | 'responses', name: string): { $ref: string } => ({
  $ref: `#/components/${kind}/${name}`,
});

const header = (type: 'string' | 'integer', description: string) => ({ description, schema: { type } });

export const headers = {
  'X-Request-Id': header('string', 'The id of the request, as in the audit log and in log lines.'),
  'RateLimit-Limit': header(
    'integer',
    'The number of requests allowed in one window of the rate limit. If two rate limits apply, the headers describe the one with fewer requests left.',
  ),
  'RateLimit-Remaining': header('integer', 'The number of requests left in the window.'),
  'RateLimit-Reset': header('integer', 'The number of seconds until the window ends.'),
  'Retry-After': header('integer', 'The number of seconds to wait before the next attempt.'),
};

/** The headers that every endpoint can send. */
export const usualHeaders = Object.fromEntries(
  ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'].map((name) => [
    name,
    reference('headers', name),
  ]),
);

/** Describes an error response. The codes must have the same status. */
export function refusal(...codes: [ErrorCode, ...ErrorCode[]]): Record<string, unknown> {
  const { status } = errorTable[codes[0]];
  const waits = status === 429 || status === 503 || codes.includes('recovery_link_waiting');
  const ofThese = { properties: { code: { enum: codes } } };
  return {
    description: codes.map(describe).join('\n\n'),
    headers: { ...usualHeaders, ...(waits && { 'Retry-After': reference('headers', 'Retry-After') }) },
    content: {
      'application/problem+json': { schema: { allOf: [reference('schemas', 'Problem'), ofThese] } },
    },
  };
}

const describe = (code: ErrorCode): string =>
  `\`${code}\`: ${errorTable[code].title} ${errorTable[code].nextStep}`;

/** Describes one error response for each code. The keys of the returned object are the codes. */
export const refusalResponses = (codes: ErrorCode[]): Record<string, unknown> =>
  Object.fromEntries(codes.map((code) => [code, refusal(code)]));
