import type { Role } from './user.ts';

/** What the browser is asked for when a passkey is created (WebAuthn Level 3, 5.4.7). The first is the default. */
export const attestationPreferences = ['none', 'indirect', 'direct', 'enterprise'] as const;

export type AttestationPreference = (typeof attestationPreferences)[number];

/** The levels of FIDO authenticator certification, lowest first. */
export const certificationLevels = ['L1', 'L1plus', 'L2', 'L2plus', 'L3', 'L3plus'] as const;

export type CertificationLevel = (typeof certificationLevels)[number];

/** What the authenticator of a passkey must be like. */
export interface AuthenticatorRequirements {
  /** The AAGUIDs of the allowed models. Without `requireAttestation`, a browser can claim any AAGUID. */
  readonly allow?: readonly string[];
  /** The AAGUIDs of models that are not allowed. */
  readonly deny?: readonly string[];
  /** Whether the attestation must prove the model. Synced passkeys usually have no attestation. */
  readonly requireAttestation?: boolean;
  /** The lowest FIDO certification of the model. Also requires attestation. */
  readonly certified?: CertificationLevel;
  /** Whether the passkey must stay on one device, so that it cannot be synced. */
  readonly deviceBound?: boolean;
}

/** What the service knows of the authenticator of a passkey. */
export interface AuthenticatorFacts {
  /** The identifier of the model (WebAuthn 6.5.1). */
  readonly aaguid: string;
  /** The name of the model. Null: unknown. */
  readonly name: string | null;
  /** Whether an attestation proves the model. If false, the browser only claims the AAGUID. */
  readonly attested: boolean;
  /** The format of the attestation, such as `packed`. Null: the passkey was created without a request for attestation. */
  readonly format: string | null;
  /** The highest FIDO certification of the attested model. Null: none, or the model is not proven. */
  readonly certification: CertificationLevel | null;
  /** The security statuses of the model in the metadata, such as `REVOKED`. Usually empty. */
  readonly statuses: readonly string[];
  /** Whether the passkey stays on one device. */
  readonly deviceBound: boolean;
  readonly transports: readonly string[];
}

/** The question that `authenticators.decide` answers. */
export interface AuthenticatorQuestion extends AuthenticatorFacts {
  /** The role of the account, or the role that the account is about to get. */
  readonly role: Role;
  readonly occasion: 'registration' | 'sign_in' | 'role_change' | 'report';
}

/** The answer of `authenticators.decide`. Nothing: the authenticator is allowed. */
export type AuthenticatorDecision =
  | {
      /** The reason, which the user sees: 1 to 200 characters. */
      refuse: string;
    }
  | null
  | undefined;

/**
 * The option `authenticators`: which authenticators users can create passkeys with.
 *
 * @example
 * const authenticators: AuthenticatorPolicy = {
 *   roles: { superadmin: { certified: 'L1', deviceBound: true } },
 * };
 */
export interface AuthenticatorPolicy extends AuthenticatorRequirements {
  /** Further requirements for a role. Those for admins also apply to superadmins. */
  readonly roles?: {
    readonly admin?: AuthenticatorRequirements;
    readonly superadmin?: AuthenticatorRequirements;
  };
  /**
   * Whether the service also checks existing passkeys when users sign in and confirm that it's them. Before you set it,
   * run `latchkey policy test`, which lists the passkeys that it refuses. Default: `false`.
   */
  readonly checkSignIns?: boolean;
  /**
   * Refuses further authenticators with a reason. The service calls it only if the requirements are met. If it throws, or
   * has not answered within 5 seconds, the authenticator is refused.
   */
  readonly decide?: (
    question: AuthenticatorQuestion,
  ) => AuthenticatorDecision | Promise<AuthenticatorDecision>;
}
