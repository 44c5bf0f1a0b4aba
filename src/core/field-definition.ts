import { inspect } from 'node:util';
import { jsonOf } from './field-value.ts';
import { type FieldAudience, fieldAudiences, type StandardSchema, type UserField } from './user-fields.ts';

/** A checked definition of an own field. */
export interface FieldDefinition {
  readonly schema: StandardSchema;
  readonly read: FieldAudience;
  readonly write: FieldAudience;
  readonly required: boolean;
  readonly requiresFreshAuthentication: boolean;
  /** The value of users without a stored value. Undefined: such users have no value. */
  readonly byDefault: unknown;
  /** Returns the JSON Schema of values that clients read, or of values that they write. */
  jsonSchema(access: 'read' | 'write'): unknown;
}

const parts = ['schema', 'read', 'write', 'required', 'requiresFreshAuthentication', 'jsonSchema'];
// JSON bodies cannot contain `constructor` and `prototype`. `JSON.stringify` calls `toJSON`.
const forbiddenNames = ['constructor', 'prototype', 'toJSON'];

/** @throws TypeError that names the part of the definition and what is expected */
export async function compileField(name: string, given: UserField | undefined): Promise<FieldDefinition> {
  const path = `userFields.${name}`;
  if (!/^[a-z][A-Za-z0-9_]{0,63}$/.test(name) || forbiddenNames.includes(name))
    throw new TypeError(
      `${path}: expected a name of 1 to 64 letters, digits and _ that starts with a lowercase letter and is not ${forbiddenNames.join(', ')}`,
    );
  if (typeof given !== 'object' || given === null)
    throw new TypeError(`${path}: expected { schema, read, write }, not ${inspect(given)}`);
  for (const part of Object.keys(given)) {
    if (!parts.includes(part)) throw new TypeError(`${path}.${part}: expected one of ${parts.join(', ')}`);
  }
  const { schema, read, write, required = false, requiresFreshAuthentication = false, jsonSchema } = given;
  if (typeof schema?.['~standard']?.validate !== 'function')
    throw new TypeError(
      `${path}.schema: expected a Standard Schema, such as a schema of Valibot, Zod or ArkType`,
    );
  requireAudience(`${path}.read`, read);
  requireAudience(`${path}.write`, write);
  if (fieldAudiences.indexOf(write) < fieldAudiences.indexOf(read))
    throw new TypeError(
      `${path}.write: expected ${read} or a higher role, because everyone who can write a field must be able to read it`,
    );
  if (typeof required !== 'boolean') throw new TypeError(`${path}.required: expected true or false`);
  if (required && write !== 'user')
    throw new TypeError(
      `${path}.required: expected write: 'user', because users send the field when they sign up`,
    );
  if (typeof requiresFreshAuthentication !== 'boolean')
    throw new TypeError(`${path}.requiresFreshAuthentication: expected true or false`);
  if (requiresFreshAuthentication && write !== 'user')
    throw new TypeError(
      `${path}.requiresFreshAuthentication: expected write: 'user', because changing fields of other users always needs fresh authentication`,
    );
  if (jsonSchema !== undefined && (typeof jsonSchema !== 'object' || jsonSchema === null))
    throw new TypeError(`${path}.jsonSchema: expected a JSON Schema object`);
  return {
    schema,
    read,
    write,
    required,
    requiresFreshAuthentication,
    byDefault: await defaultOf(`${path}.schema`, schema),
    jsonSchema: (access) => jsonSchema ?? ownJsonSchema(schema, access),
  };
}

function requireAudience(path: string, given: unknown): void {
  if (!fieldAudiences.some((audience) => audience === given))
    throw new TypeError(`${path}: expected one of ${fieldAudiences.join(', ')}, not ${inspect(given)}`);
}

/** Returns the output of the schema for `undefined`. A schema that throws or returns issues has no default. */
async function defaultOf(path: string, schema: FieldDefinition['schema']): Promise<unknown> {
  let value: unknown;
  try {
    const result = await schema['~standard'].validate(undefined);
    value = result.issues ? undefined : result.value;
  } catch {
    return undefined;
  }
  return value == null ? undefined : jsonOf(`${path}: the default`, value);
}

/** Returns the JSON Schema of a schema that implements Standard JSON Schema. For other schemas, `{}`: any value. */
function ownJsonSchema(schema: object, access: 'read' | 'write'): unknown {
  const { '~standard': standard } = schema as { '~standard': { jsonSchema?: JsonSchemaMaker } };
  const make = standard.jsonSchema?.[access === 'read' ? 'output' : 'input'];
  try {
    return make?.({ target: 'draft-2020-12' }) ?? {};
  } catch {
    return {};
  }
}

/** @see https://standardschema.dev/json-schema */
type JsonSchemaMaker = Partial<Record<'input' | 'output', (options: { target: string }) => unknown>>;
