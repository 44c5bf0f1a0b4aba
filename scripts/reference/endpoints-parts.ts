import type { JsonSchema } from '@valibot/to-json-schema';
import type { Access, Endpoint } from '../../src/api/endpoint.ts';
import { chapters } from '../../src/api/openapi/chapters.ts';
import { resources, schemaOf } from '../../src/api/openapi/components.ts';
import { operationOf } from '../../src/api/openapi/operation.ts';
import { requirementOf } from '../../src/api/openapi/requirement.ts';
import { builtInGrants } from '../../src/roles/grants.ts';
import { anchorOf } from '../anchors.ts';
import { code, table } from '../markdown.ts';
import { requestOf } from './requests.ts';
import { propertyRows, typeText } from './schema-text.ts';

/** The generated parts of docs/reference/endpoints.md, by name. */
export const endpointsParts = (): Record<string, string> => ({
  endpoints: endpointTable(),
  details: chapters
    .map(({ name, description, endpoints }) =>
      [`## ${name}`, description, ...Object.values(endpoints).map(detailsOf)].join('\n\n'),
    )
    .join('\n\n'),
  resources: Object.entries(resources())
    .map(([name, schema]) => `### ${name}\n\n${propertiesTable(schema)}`)
    .join('\n\n'),
});

const marks: Record<Access, string> = {
  none: '',
  any_session_or_none: '◇',
  any_session: '◇',
  full_session: '',
  fresh: '★',
  fresh_or_recovering: '★◇',
};

const sessions: Record<Access, string> = {
  none: 'none',
  any_session_or_none: 'full or recovery session; also works without a session',
  any_session: 'full or recovery session',
  full_session: 'full session',
  fresh: 'full session with fresh authentication',
  fresh_or_recovering: 'full session with fresh authentication, or recovery session',
};

const endpointTable = (): string =>
  table(
    ['Request', '', 'For'],
    chapters
      .flatMap(({ endpoints }) => Object.values(endpoints))
      .map((endpoint) => [
        `[${code(requestOf(endpoint))}](#${anchorOf(requestOf(endpoint))}) ${marks[endpoint.access]}`.trim(),
        endpoint.summary,
        whoCan(endpoint),
      ]),
  );

const whoCan = ({ requires, everywhere, access }: Endpoint): string => {
  if (!requires) return access === 'none' ? 'everyone' : 'users';
  return requirementOf(builtInGrants, requires, everywhere).replace(/^For (.*)\.$/, '$1');
};

function detailsOf(endpoint: Endpoint): string {
  const { access, requires, needs, publicWith, budget, body, query, text } = endpoint;
  const operation = operationOf(endpoint, {
    bearerTokens: false,
    impersonation: true,
    grants: builtInGrants,
  });
  const responses = operation.responses as Record<string, { $ref?: string; description?: string }>;
  const facts = [
    `- For: ${whoCan(endpoint)}${requires ? ` (${code(requires)})` : ''}`,
    `- Session: ${sessions[access]}`,
    needs && `- Needs: ${features[needs]}`,
    publicWith && `- With the option ${code(publicWith)}: for everyone, without a session`,
    `- Rate limit: ${code(budget)}`,
  ];
  return [
    `### ${requestOf(endpoint)}`,
    `${endpoint.summary}.${endpoint.description ? ` ${endpoint.description}` : ''}`,
    facts.filter(Boolean).join('\n'),
    query && `Query:\n\n${propertiesTable(schemaOf(query))}`,
    body && `Body:\n\n${propertiesTable(schemaOf(body))}`,
    text && `Body: text. ${text}`,
    ...answersOf(endpoint),
    `Errors: ${errorsIn(responses).map(code).join(', ')}`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

const features: Record<NonNullable<Endpoint['needs']>, string> = {
  organizations: 'the option `organizations` (on by default)',
  admin_invitations: 'the option `adminInvitations` (on by default)',
  invitations: 'invitations to the service: `adminInvitations`, or a sign-up mode other than `closed`',
  impersonation: 'the option `impersonation` (off by default)',
  webhooks: 'the option `webhooks` (on by default)',
  audit_witness: 'the option `auditWitnessFor` (off by default)',
};

const answersOf = ({ answers }: Endpoint): string[] =>
  Object.entries(answers).map(([status, answer]) => {
    if (answer === null) return `Response ${status}: no body.`;
    if ('contentType' in answer) {
      const types = [answer.contentType, answer.otherContentType].filter((type) => type !== undefined);
      return `Response ${status}, ${types.map(code).join(' or ')}: ${answer.description}`;
    }
    return `Response ${status}:\n\n${propertiesTable(schemaOf(answer))}`;
  });

/** The codes that the error responses of an operation name. */
const errorsIn = (responses: Record<string, { $ref?: string; description?: string }>): string[] =>
  Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([, { $ref, description = '' }]) =>
      $ref
        ? [$ref.replace(/^.*\//, '')]
        : [...description.matchAll(/^`(\w+)`:/gm)].map(([, name = '']) => name),
    );

function propertiesTable(schema: JsonSchema): string {
  const rows = propertyRows(schema);
  return rows.length === 0 ? typeText(schema) : table(['Property', 'Type', ''], rows);
}
