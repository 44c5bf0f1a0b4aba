import { auditEventNames } from '../event-names.ts';
import { type DetailField, type DetailType, type EventConvention, refusalDetails } from './convention.ts';
import { eventConventions } from './event-conventions.ts';

type Schema = Readonly<Record<string, unknown>>;

export interface EventSchemaOptions {
  /**
   * Whether `details` can have fields that the schema does not describe. Default: `true`, so that the schema also
   * accepts the events of later versions. A test of this package uses `false`.
   */
  moreDetails?: boolean;
}

/**
 * Returns the JSON Schema (2020-12) of an audit event as JSON. `$defs` contains the schema of each event name. An event
 * with another name only needs the common properties, because later versions can add names.
 */
export const auditEventSchema = ({ moreDetails = true }: EventSchemaOptions = {}): Schema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Latchkey audit event',
  type: 'object',
  required: Object.keys(commonProperties),
  properties: commonProperties,
  allOf: auditEventNames.map((name) => ({
    if: { properties: { event: { const: name } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { $ref: `#/$defs/${name}` },
  })),
  $defs: Object.fromEntries(
    auditEventNames.map((name) => [name, schemaOf(eventConventions[name], moreDetails)]),
  ),
});

const nullable = (type: string, rest: Schema = {}): Schema => ({ type: [type, 'null'], ...rest });
const named = (types: Schema): Schema => ({
  type: 'object',
  required: ['type', 'id', 'name'],
  properties: { type: types, id: nullable('string'), name: nullable('string') },
});

const commonProperties: Readonly<Record<string, Schema>> = {
  id: { type: 'string', format: 'uuid' },
  at: { type: 'string', format: 'date-time' },
  event: { type: 'string' },
  outcome: { enum: ['success', 'failure'] },
  actor: named({ enum: ['user', 'operator', 'anonymous', 'system'] }),
  impersonator: {
    anyOf: [named({ enum: ['user', 'operator'] }), { type: 'null' }],
    description: 'Null: the session was not impersonated.',
  },
  target: { anyOf: [named({ type: 'string' }), { type: 'null' }] },
  organizationId: nullable('string', { format: 'uuid' }),
  ip: nullable('string'),
  userAgent: nullable('string'),
  requestId: nullable('string'),
  details: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } },
  count: { type: 'integer', minimum: 1 },
};

function schemaOf(convention: EventConvention, moreDetails: boolean): Schema {
  const { when, target, details = {}, onlyRefusals, neverRefused } = convention;
  const success: Schema = {
    properties: {
      outcome: { const: 'success' },
      target:
        target === null ? { type: 'null' } : { type: 'object', properties: { type: { const: target } } },
      details: detailsSchema(details, moreDetails),
    },
  };
  const refusal: Schema = {
    properties: { outcome: { const: 'failure' }, details: detailsSchema(refusalDetails, moreDetails) },
  };
  return {
    description: when,
    oneOf: [...(onlyRefusals ? [] : [success]), ...(neverRefused ? [] : [refusal])],
  };
}

const detailsSchema = (fields: Readonly<Record<string, DetailField>>, moreDetails: boolean): Schema => ({
  type: 'object',
  required: Object.keys(fields).filter((name) => !fields[name]?.optional),
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, { type, about, nullable: canBeNull }]) => [
      name,
      { ...(canBeNull ? { anyOf: [types[type], { type: 'null' }] } : types[type]), description: about },
    ]),
  ),
  ...(moreDetails ? {} : { additionalProperties: false }),
});

const types: Record<DetailType, Schema> = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  uuid: { type: 'string', format: 'uuid' },
  time: { type: 'string', format: 'date-time' },
};
