import { type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { type ErrorCode, errorTable } from '../../core/errors.ts';
import type { ProblemDetails } from '../../http/handle-errors.ts';
import { auditEventResource } from '../audit.ts';
import { invitationPreviewResource, invitationResource } from '../invitations.ts';
import {
  organizationInvitationPreviewResource,
  organizationInvitationResource,
} from '../organization-invitations.ts';
import { memberResource, organizationResource } from '../organizations.ts';
import { creationOptionsResource, passkeyResource, requestOptionsResource } from '../passkey-schemas.ts';
import { namedUserResource, sessionResource, userResource } from '../resources.ts';
import { accountResource } from '../sessions.ts';

const problem = v.object({
  type: v.pipe(v.string(), v.description('`urn:latchkey:error:` and the code.')),
  title: v.pipe(v.string(), v.description('What happened. Safe to show to users.')),
  status: v.pipe(v.number(), v.integer()),
  code: v.pipe(
    v.picklist(Object.keys(errorTable) as ProblemDetails['code'][]),
    v.description('The stable name of the error. Branch on this.'),
  ),
  nextStep: v.pipe(v.string(), v.description('What to do next. Safe to show to users.')),
  detail: v.exactOptional(
    v.pipe(v.string(), v.description('More about this occurrence. Safe to show to users.')),
  ),
  reason: v.exactOptional(v.pipe(v.string(), v.description('A machine-readable refinement of the code.'))),
  errors: v.exactOptional(
    v.pipe(
      v.array(v.object({ path: v.string(), message: v.string() })),
      v.description('The invalid values of the request, each with its dotted path.'),
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
  Problem: problem,
};

const conversion = {
  target: 'draft-2020-12',
  // Describes what clients send, before values are trimmed and defaults filled in.
  typeMode: 'input',
  // Checks in code have no JSON Schema. The metadata next to them describes what they accept.
  errorMode: 'ignore',
  definitions: named,
  overrideRef: ({ referenceId }: { referenceId: string }) => `#/components/schemas/${referenceId}`,
} as const;

export const resources = (): Record<string, JsonSchema> => toJsonSchemaDefs(named, conversion);

/** Converts a schema to JSON Schema, with references to the named schemas. */
export function schemaOf(schema: v.GenericSchema): JsonSchema {
  const { $schema: _, $defs: __, ...converted } = toJsonSchema(schema, conversion);
  return converted;
}

export const reference = (kind: 'schemas' | 'headers' | 'responses', name: string): { $ref: string } => ({
  $ref: `#/components/${kind}/${name}`,
});

const header = (type: 'string' | 'integer', description: string) => ({ description, schema: { type } });

export const headers = {
  'X-Request-Id': header('string', 'The request’s id in the audit log and in log lines.'),
  'RateLimit-Limit': header('integer', 'The number of requests that the tightest budget allows.'),
  'RateLimit-Remaining': header('integer', 'The number of requests left in that budget.'),
  'RateLimit-Reset': header('integer', 'The seconds until that budget resets.'),
  'Retry-After': header('integer', 'The seconds to wait before trying again.'),
};

/** The headers of every response. */
export const usualHeaders = Object.fromEntries(
  ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'].map((name) => [
    name,
    reference('headers', name),
  ]),
);

/** An error response with one of these codes, which have the same status. */
export function refusal(...codes: [ErrorCode, ...ErrorCode[]]): Record<string, unknown> {
  const { status } = errorTable[codes[0]];
  const waits = status === 429 || status === 503;
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

/** The error responses with a single code, by code. */
export const refusalResponses = (codes: ErrorCode[]): Record<string, unknown> =>
  Object.fromEntries(codes.map((code) => [code, refusal(code)]));
