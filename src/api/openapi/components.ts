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
  title: v.string(),
  status: v.pipe(v.number(), v.integer()),
  code: v.pipe(
    v.picklist(Object.keys(errorTable) as ProblemDetails['code'][]),
    v.description('The stable name: what clients decide by.'),
  ),
  detail: v.exactOptional(v.pipe(v.string(), v.description('Safe to show a person.'))),
  reason: v.exactOptional(v.pipe(v.string(), v.description('A refinement of the code.'))),
  errors: v.exactOptional(
    v.pipe(
      v.array(v.object({ path: v.string(), message: v.string() })),
      v.description('What is wrong with the input, each with its dotted path.'),
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
  // What a client sends, before anything is trimmed or filled in.
  typeMode: 'input',
  // Checks in code have no JSON Schema; where one decides, metadata beside it says on what.
  errorMode: 'ignore',
  definitions: named,
  overrideRef: ({ referenceId }: { referenceId: string }) => `#/components/schemas/${referenceId}`,
} as const;

export const resources = (): Record<string, JsonSchema> => toJsonSchemaDefs(named, conversion);

/** A schema in the document's terms, with references to what has a name there. */
export function schemaOf(schema: v.GenericSchema): JsonSchema {
  const { $schema: _, $defs: __, ...converted } = toJsonSchema(schema, conversion);
  return converted;
}

export const reference = (kind: 'schemas' | 'headers' | 'responses', name: string): { $ref: string } => ({
  $ref: `#/components/${kind}/${name}`,
});

const header = (type: 'string' | 'integer', description: string) => ({ description, schema: { type } });

export const headers = {
  'X-Request-Id': header('string', 'Ties the answer to the audit log and to the application’s own.'),
  'RateLimit-Limit': header('integer', 'How many requests the tightest budget allows.'),
  'RateLimit-Remaining': header('integer', 'How many of them are left.'),
  'RateLimit-Reset': header('integer', 'In how many seconds it is whole again.'),
  'Retry-After': header('integer', 'How many seconds to wait.'),
};

/** What every answer has. */
export const usualHeaders = Object.fromEntries(
  ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'].map((name) => [
    name,
    reference('headers', name),
  ]),
);

/** A refusal with one of these codes, which are of one status. */
export function refusal(...codes: [ErrorCode, ...ErrorCode[]]): Record<string, unknown> {
  const { status } = errorTable[codes[0]];
  const waits = status === 429 || status === 503;
  const ofThese = { properties: { code: { enum: codes } } };
  return {
    description: codes.map((code) => `\`${code}\`: ${errorTable[code].title}`).join('\n\n'),
    headers: { ...usualHeaders, ...(waits && { 'Retry-After': reference('headers', 'Retry-After') }) },
    content: {
      'application/problem+json': { schema: { allOf: [reference('schemas', 'Problem'), ofThese] } },
    },
  };
}

/** The refusals by themselves, by their codes. */
export const refusalResponses = (codes: ErrorCode[]): Record<string, unknown> =>
  Object.fromEntries(codes.map((code) => [code, refusal(code)]));
