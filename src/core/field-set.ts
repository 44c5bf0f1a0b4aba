import { isDeepStrictEqual } from 'node:util';
import { bounds } from './bounds.ts';
import { AuthError, type InputFault } from './errors.ts';
import { compileField, type FieldDefinition } from './field-definition.ts';
import { jsonOf } from './field-value.ts';
import { shortened } from './shortened.ts';
import { type FieldAudience, fieldAudiences, type StoredFields, type UserFields } from './user-fields.ts';

/** Changed values of own fields. Null removes a value. */
export type CheckedFields = Readonly<Record<string, unknown>>;

/** The own fields of the application. */
export interface FieldSet {
  readonly isEmpty: boolean;
  /** The values that this audience can read. Includes defaults. */
  readableBy(audience: FieldAudience, stored: StoredFields): Record<string, unknown>;
  /** All values, for the application's code. `JSON.stringify` writes only the values that the user can read. */
  exposed(stored: StoredFields): Readonly<Record<string, unknown>>;
  /**
   * Checks changed values.
   *
   * @throws AuthError `invalid_request` for unknown fields, fields that this audience cannot write, and invalid values
   */
  check(audience: FieldAudience, given: Readonly<Record<string, unknown>>): Promise<CheckedFields>;
  /** Checks the values of a sign-up. @throws AuthError `invalid_request`, also if a required field is missing */
  checkSignUp(given: Readonly<Record<string, unknown>>): Promise<StoredFields>;
  /**
   * Returns the values of the user with those that `signUp.before` adds. The added values win.
   *
   * @throws TypeError for an unknown field, a value that the schema does not allow, or added values that are too large
   * @throws AuthError `invalid_request` if the values of the user are too large together with the added values
   */
  withAdded(ofUser: StoredFields, added: Readonly<Record<string, unknown>>): Promise<StoredFields>;
  /** Returns only the values of configured fields that users can write. */
  onlyOfUser(given: StoredFields): StoredFields;
  /** Whether users need fresh authentication to change one of these fields. */
  needFreshAuthentication(names: readonly string[]): boolean;
  /** The fields that a sign-up must contain. */
  readonly requiredNames: readonly string[];
  /** Returns the JSON Schemas of the fields that users can read or write. */
  jsonSchemas(access: 'read' | 'write'): Record<string, unknown>;
}

/** Checks the definitions of the option `userFields`. @throws TypeError that names the field and the expected form */
export async function createFieldSet(given: UserFields = {}): Promise<FieldSet> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new TypeError(
      'userFields: expected an object, such as { plan: { schema, read: "user", write: "admin" } }',
    );
  const names = Object.keys(given);
  if (names.length > bounds.userFields)
    throw new TypeError(`userFields: expected at most ${bounds.userFields} fields, not ${names.length}`);
  const definitions = new Map<string, FieldDefinition>();
  for (const name of names) definitions.set(name, await compileField(name, given[name]));
  return fieldSetOf(definitions);
}

function fieldSetOf(definitions: ReadonlyMap<string, FieldDefinition>): FieldSet {
  const readableBy = (audience: FieldAudience, stored: StoredFields): Record<string, unknown> => {
    const values: Record<string, unknown> = {};
    for (const [name, { read, byDefault }] of definitions) {
      if (!isWithin(audience, read)) continue;
      const value = Object.hasOwn(stored, name) ? stored[name] : byDefault;
      if (value !== undefined) values[name] = value;
    }
    return values;
  };
  const check = async (
    audience: FieldAudience,
    given: Readonly<Record<string, unknown>>,
  ): Promise<CheckedFields> => {
    const checked: Record<string, unknown> = {};
    const faults: InputFault[] = [];
    for (const [name, value] of Object.entries(given)) {
      const definition = definitions.get(name);
      // The same message, so that the response does not reveal the names of fields that the caller cannot write.
      if (!definition || !isWithin(audience, definition.write)) faults.push(faultOf(name, unknown));
      else if (value === null && definition.required) faults.push(faultOf(name, missing));
      else if (value === null) checked[name] = null;
      else {
        const result = await validate(name, definition, value);
        if ('faults' in result) faults.push(...result.faults);
        else checked[name] = result.value;
      }
    }
    refuseFaults(faults);
    assertSmall(checked);
    return checked;
  };
  return {
    isEmpty: definitions.size === 0,
    readableBy,
    exposed(stored) {
      const values = readableBy('operator', stored);
      const toJSON = () => readableBy('user', stored);
      return deepFreeze(Object.defineProperty(values, 'toJSON', { value: toJSON, enumerable: false }));
    },
    check,
    async checkSignUp(given) {
      const missed = [...definitions].filter(
        ([name, { required }]) => required && (!Object.hasOwn(given, name) || given[name] == null),
      );
      const checked = await check('user', given);
      refuseFaults(missed.map(([name]) => faultOf(name, missing)));
      return Object.fromEntries(Object.entries(checked).filter(([, value]) => value !== null));
    },
    async withAdded(ofUser, added) {
      const checked = await check('operator', added).catch((error) => {
        if (!(error instanceof AuthError)) throw error;
        const faults = error.errors?.map(({ path, message }) => `${path}: ${message}`);
        throw new TypeError(`signUp.before: ${faults?.join('; ')}`, { cause: error });
      });
      return mergeFields(ofUser, checked).fields;
    },
    onlyOfUser: (given) =>
      Object.fromEntries(Object.entries(given).filter(([name]) => definitions.get(name)?.write === 'user')),
    needFreshAuthentication: (names) =>
      names.some((name) => definitions.get(name)?.requiresFreshAuthentication),
    requiredNames: [...definitions].filter(([, { required }]) => required).map(([name]) => name),
    jsonSchemas: (access) =>
      Object.fromEntries(
        [...definitions]
          .filter(([, definition]) => definition[access] === 'user')
          .map(([name, { jsonSchema }]) => [name, jsonSchema(access)]),
      ),
  };
}

/** Returns the stored fields after a change, and the names of the fields whose values differ. */
export function mergeFields(
  stored: StoredFields,
  changes: CheckedFields,
): { fields: StoredFields; changed: string[] } {
  const changed = Object.keys(changes).filter(
    (name) => !isDeepStrictEqual(changes[name], Object.hasOwn(stored, name) ? stored[name] : null),
  );
  const merged = Object.entries({ ...stored, ...changes }).filter(([, value]) => value !== null);
  const fields = Object.fromEntries(merged);
  if (changed.length > 0) assertSmall(fields);
  return { fields, changed };
}

/** Freezes a value of own fields. The session cache gives one value to many requests. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const nested of Object.values(value)) deepFreeze(nested);
  return Object.freeze(value);
}

const unknown = 'this property is unknown';
const missing = 'this property is required';

const faultOf = (name: string, message: string): InputFault => ({
  path: shortened(`fields.${name}`, bounds.quotedCharacters),
  message: shortened(message, bounds.faultCharacters),
});

function refuseFaults(faults: InputFault[]): void {
  if (faults.length > 0) throw new AuthError('invalid_request', { errors: faults.slice(0, bounds.faults) });
}

function assertSmall(fields: Readonly<Record<string, unknown>>): void {
  if (Buffer.byteLength(JSON.stringify(fields)) <= bounds.userFieldsBytes) return;
  const message = `expected at most ${bounds.userFieldsBytes} bytes of JSON in all fields`;
  throw new AuthError('invalid_request', { errors: [{ path: 'fields', message }] });
}

async function validate(
  name: string,
  { schema }: FieldDefinition,
  given: unknown,
): Promise<{ value: unknown } | { faults: InputFault[] }> {
  const result = await runSchema(name, schema, given);
  if (result.issues) {
    const messages = result.issues.map(({ message }) => faultOf(name, `${message}`));
    return { faults: messages.length > 0 ? messages : [faultOf(name, 'this value is not allowed')] };
  }
  return { value: jsonOf(`userFields.${name}.schema: the output`, result.value) };
}

/** @throws Error that names the field if the schema throws, which is a mistake in the application */
async function runSchema(name: string, schema: FieldDefinition['schema'], given: unknown) {
  try {
    return await schema['~standard'].validate(given);
  } catch (cause) {
    throw new Error(`userFields.${name}.schema threw an error instead of returning issues`, { cause });
  }
}

const isWithin = (audience: FieldAudience, least: FieldAudience): boolean =>
  fieldAudiences.indexOf(audience) >= fieldAudiences.indexOf(least);
