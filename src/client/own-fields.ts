/** The parts of the definitions of own fields that the client's types need. `UserFields` of the service has them. */
export interface OwnFieldDefinitions {
  readonly [name: string]: {
    readonly schema: {
      readonly '~standard': {
        readonly types?: { readonly input: unknown; readonly output: unknown } | undefined;
      };
    };
    readonly read: string;
    readonly write: string;
    readonly required?: boolean;
  };
}

/** The type of the service, from which the client gets the types of the own fields. */
export interface ServiceTypes {
  readonly userFields: OwnFieldDefinitions;
}

/** A service without own fields. */
export interface NoServiceTypes {
  readonly userFields: Record<never, never>;
}

type Definition = OwnFieldDefinitions[string];
type TypesOf<Field extends Definition> = NonNullable<Field['schema']['~standard']['types']>;

type ValueOf<Field extends Definition> = undefined extends TypesOf<Field>['input']
  ? TypesOf<Field>['output']
  : TypesOf<Field>['output'] | undefined;

type NamesFor<Fields extends OwnFieldDefinitions, Access extends 'read' | 'write'> = {
  [Name in keyof Fields]: Fields[Name][Access] extends 'user' ? Name : never;
}[keyof Fields];

type RequiredNames<Fields extends OwnFieldDefinitions> = {
  [Name in keyof Fields]: Fields[Name] extends { readonly required: true } ? Name : never;
}[keyof Fields];

/** The own fields that users can read of their own account. */
export type OwnFields<Fields extends OwnFieldDefinitions> = {
  readonly [Name in NamesFor<Fields, 'read'>]: ValueOf<Fields[Name]>;
};

/** New values of the own fields that users can write. Null removes a value. */
export type OwnFieldValues<Fields extends OwnFieldDefinitions> = {
  [Name in NamesFor<Fields, 'write'>]?: TypesOf<Fields[Name]>['input'] | null;
};

/** New values of the own fields of another user. Null removes a value. */
export type FieldValuesOfUser<Fields extends OwnFieldDefinitions> = {
  [Name in keyof Fields]?: TypesOf<Fields[Name]>['input'] | null;
};

/** The property `fields` of a sign-up. Required if a field is required. */
export type WithSignUpFields<Fields extends OwnFieldDefinitions> = [RequiredNames<Fields>] extends [never]
  ? { fields?: OwnFieldsOfSignUp<Fields> | undefined }
  : { fields: OwnFieldsOfSignUp<Fields> };

type OwnFieldsOfSignUp<Fields extends OwnFieldDefinitions> = {
  [Name in RequiredNames<Fields>]: TypesOf<Fields[Name]>['input'];
} & { [Name in Exclude<NamesFor<Fields, 'write'>, RequiredNames<Fields>>]?: TypesOf<Fields[Name]>['input'] };

/** A user or an account with the own fields that the user can read. Without own fields: only the user. */
export type WithOwnFields<Base, Fields extends OwnFieldDefinitions> = [keyof Fields] extends [never]
  ? Base
  : Base & { readonly fields: OwnFields<Fields> };

/** A user with the own fields that the caller can read. They depend on the role of the caller. */
export type WithFieldsOfUser<Base, Fields extends OwnFieldDefinitions> = [keyof Fields] extends [never]
  ? Base
  : Base & { readonly fields: { readonly [Name in keyof Fields]?: ValueOf<Fields[Name]> } };
