/**
 * A schema of any library that implements Standard Schema, such as Valibot, Zod or ArkType. This is the part of the
 * interface that the service uses.
 *
 * @see https://standardschema.dev
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** The result of a validation: the value, or the issues. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] };

/**
 * Who can read or write an own field, from the most users to the fewest:
 *
 * - `user`: the user, and everyone below
 * - `admin`: admins, for the users that they manage; and superadmins
 * - `superadmin`: superadmins
 * - `operator`: only `auth.asOperator`. No request of the HTTP API can read or write the field.
 */
export type FieldAudience = 'user' | 'admin' | 'superadmin' | 'operator';

export const fieldAudiences: readonly FieldAudience[] = ['user', 'admin', 'superadmin', 'operator'];

/** The definition of an own field of users, in the option `userFields`. */
export interface UserField<Schema extends StandardSchema = StandardSchema> {
  /**
   * Checks a new value. The service stores the output, which must be JSON and not null. If the schema accepts
   * `undefined` and returns a value, this value is the default. The service computes it once, when it starts.
   */
  readonly schema: Schema;
  /** Who can read the field. */
  readonly read: FieldAudience;
  /** Who can change the field. Everyone who can change it must be able to read it. */
  readonly write: FieldAudience;
  /** Whether a sign-up must contain the field. Only for `write: 'user'`. Default: `false`. */
  readonly required?: boolean;
  /**
   * Whether users need fresh authentication to change the field of their own account. Only for `write: 'user'`, because
   * requests that change the fields of other users always need it. Default: `false`.
   */
  readonly requiresFreshAuthentication?: boolean;
  /** The JSON Schema of the field, for the OpenAPI document. Default: what the schema itself returns, or `{}`. */
  readonly jsonSchema?: Readonly<Record<string, unknown>>;
}

/** The definitions of own fields, by name. */
export type UserFields = { readonly [name: string]: UserField };

/** No own fields. */
export type NoFields = Record<never, never>;

type TypesOf<Field extends UserField> = NonNullable<Field['schema']['~standard']['types']>;

/** The type of a stored value. It includes `undefined`, unless the schema has a default. */
type ValueOf<Field extends UserField> = undefined extends TypesOf<Field>['input']
  ? TypesOf<Field>['output']
  : TypesOf<Field>['output'] | undefined;

/** The values of all own fields. */
export type FieldValues<Fields extends UserFields> = {
  readonly [Name in keyof Fields]: ValueOf<Fields[Name]>;
};

type NamesFor<Fields extends UserFields, Access extends 'read' | 'write'> = {
  [Name in keyof Fields]: Fields[Name][Access] extends 'user' ? Name : never;
}[keyof Fields];

/** The values of the own fields that users can read of their own account. */
export type OwnFieldValues<Fields extends UserFields> = {
  readonly [Name in NamesFor<Fields, 'read'>]: ValueOf<Fields[Name]>;
};

type RequiredNames<Fields extends UserFields> = {
  [Name in keyof Fields]: Fields[Name] extends { readonly write: 'user'; readonly required: true }
    ? Name
    : never;
}[keyof Fields];

/** The values for a sign-up: the fields that users can write. */
export type SignUpFields<Fields extends UserFields> = {
  [Name in RequiredNames<Fields>]: TypesOf<Fields[Name]>['input'];
} & { [Name in Exclude<NamesFor<Fields, 'write'>, RequiredNames<Fields>>]?: TypesOf<Fields[Name]>['input'] };

/** New values of own fields. Null removes a value. */
export type FieldChanges<Fields extends UserFields> = {
  [Name in keyof Fields]?: TypesOf<Fields[Name]>['input'] | null;
};

/** New values of the own fields that users can write. Null removes a value. */
export type OwnFieldChanges<Fields extends UserFields> = {
  [Name in NamesFor<Fields, 'write'>]?: TypesOf<Fields[Name]>['input'] | null;
};

/** The own fields of a user as stored in the database, without defaults. */
export type StoredFields = Readonly<Record<string, unknown>>;
