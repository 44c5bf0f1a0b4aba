import type { AttestationPreference, AuthenticatorPolicy } from './authenticator-policy.ts';
import type { BudgetOptions } from './budgets.ts';
import type { CookieOptions } from './config-cookies.ts';
import type { LifetimeOptions } from './config-lifetimes.ts';
import type { NativeAppOptions } from './config-native-apps.ts';
import type { OrganizationOptions } from './config-organizations.ts';
import type { PasswordOptions } from './config-password.ts';
import type { WebhookOptions } from './config-webhooks.ts';
import type { PlaceOf } from './places.ts';
import type { PrivilegedMethod } from './session.ts';
import type { SignUpOptions } from './sign-up.ts';
import type { UsernameOptions } from './username-rule.ts';

/** The environment variable of each option that has one. */
export const variables = {
  database: 'DATABASE_URL',
  migrationDatabase: 'MIGRATION_DATABASE_URL',
  rpId: 'WEBAUTHN_RP_ID',
  rpName: 'WEBAUTHN_RP_NAME',
  origins: 'WEBAUTHN_RP_ORIGIN',
  secret: 'JWT_SECRET',
  passkeyTimeoutMs: 'PASSKEY_TIMEOUT',
  attestation: 'WEBAUTHN_ATTESTATION',
  authenticatorMetadata: 'AUTHENTICATOR_METADATA',
  sessionTtlSeconds: 'SESSION_TTL',
  sessionIdleTimeoutSeconds: 'SESSION_IDLE_TIMEOUT',
  reauthenticationWindowSeconds: 'REAUTHENTICATION_WINDOW',
  privilegedMethods: 'PRIVILEGED_METHODS',
  trustedProxies: 'TRUST_PROXY',
  maxRecoveryCodes: 'MAX_RECOVERY_CODES',
  recoveryCodeExpiryDays: 'RECOVERY_CODE_EXPIRY',
  assistedRecoveryDelaySeconds: 'ASSISTED_RECOVERY_DELAY',
  deletedUsernameReleaseDays: 'DELETED_USERNAME_RELEASE',
  auditRetentionDays: 'AUDIT_RETENTION',
  auditBurstThreshold: 'AUDIT_BURST_THRESHOLD',
  auditSequencer: 'AUDIT_SEQUENCER',
  auditSigningKey: 'AUDIT_SIGNING_KEY',
  auditVerifierKeys: 'AUDIT_VERIFIER_KEYS',
  auditCheckpointFile: 'AUDIT_CHECKPOINT_FILE',
  auditWitnessUrl: 'AUDIT_WITNESS_URL',
  auditWitnessKey: 'AUDIT_WITNESS_KEY',
  auditLogPublic: 'AUDIT_LOG_PUBLIC',
  auditWitnessFor: 'AUDIT_WITNESS_FOR',
  recoveryPage: 'RECOVERY_PAGE',
  invitationPage: 'INVITATION_PAGE',
  joinPage: 'JOIN_PAGE',
  lookAlikes: 'LOOK_ALIKES',
  usernames: 'USERNAMES',
  passwordMinLength: 'PASSWORD_MIN_LENGTH',
  bcryptCost: 'BCRYPT_COST',
  breachedPasswordsUrl: 'BREACHED_PASSWORDS_URL',
  rateLimit: 'RATE_LIMIT',
  redisUrl: 'REDIS_URL',
  bearerTokens: 'BEARER_TOKENS',
  organizations: 'ORGANIZATIONS',
  adminInvitations: 'ADMIN_INVITATIONS',
  impersonation: 'IMPERSONATION',
  impersonationPage: 'IMPERSONATION_PAGE',
  webhooks: 'WEBHOOKS',
  webhookSender: 'WEBHOOK_SENDER',
} as const satisfies Partial<Record<keyof ConfigurationOptions, string>>;

/** Settings in code. If a description starts with an environment variable, the option overrides this variable. */
export interface ConfigurationOptions {
  /** DATABASE_URL: a `postgresql://…` URL. In code also a postgres.js client, a `pg` pool or a `Database`. */
  database?: unknown;
  /**
   * MIGRATION_DATABASE_URL: the `postgresql://…` URL of the database role that owns the schema, for `migrate`. The role
   * in `database` then gets only the rights that the service needs. If you pass `database` as an option, also
   * pass this as an option. Default: the role in `database` migrates.
   */
  migrationDatabase?: string;
  /**
   * WEBAUTHN_RP_ID: the domain that passkeys are bound to, such as `example.com`. Required in production. Default in
   * development: `localhost`.
   */
  rpId?: string;
  /** WEBAUTHN_RP_NAME: the name of the service in passkey dialogs. Default: `Latchkey`. */
  rpName?: string;
  /**
   * WEBAUTHN_RP_ORIGIN: the origin of the pages, such as `https://example.com`, then related origins (WebAuthn Level 3,
   * 5.11). Pages of all these origins can sign in and change data, even if the service has another origin. Can also
   * contain origins of Android apps (`android:apk-key-hash:…`). Required in production. Default in development:
   * `http://localhost:` with the port of SERVER_ADDR.
   */
  origins?: string | readonly string[];
  /**
   * JWT_SECRET: at least 32 random bytes as text. Required in production. In development, the service creates a secret
   * and stores it. With several secrets, the first signs and encrypts, and all verify and decrypt. Do not share a secret
   * with other services: they verify tokens with the public keys of `createWellKnownRouter`.
   */
  secret?: string | readonly string[];
  /** PASSKEY_TIMEOUT: how long a ceremony can take. 15000 to 600000 milliseconds; default 300000. */
  passkeyTimeoutMs?: number;
  /**
   * WEBAUTHN_ATTESTATION: whether browsers are asked to prove the model of a new authenticator: `none`, `indirect`,
   * `direct` or `enterprise`. Browsers can ask the user, and synced passkeys usually prove nothing. Only with
   * `enterprise`, the service stores the certificates of the authenticator. Default: `none`: the service refuses
   * certificates.
   */
  attestation?: AttestationPreference;
  /**
   * AUTHENTICATOR_METADATA: a file or an https URL with the metadata of the FIDO Alliance (a signed blob, version 3),
   * such as `https://mds3.fidoalliance.org/`. It contains the certificates and the security status of each model. The
   * service reads a file every hour and a URL every day. Models with a security status such as `REVOKED` cannot be
   * registered. Default: none.
   */
  authenticatorMetadata?: string;
  /**
   * Certificates that attestations of models outside of the metadata can lead to, as PEM text. An attestation with such a
   * certificate proves any AAGUID that the metadata does not contain. Default: none.
   */
  authenticatorRoots?: string | readonly string[];
  /**
   * Certificates that the signature of `authenticatorMetadata` leads to, as PEM text, for metadata that another publisher
   * signs. Default: those of the FIDO Alliance, with a certificate for `mds.fidoalliance.org`.
   */
  authenticatorMetadataRoots?: string | readonly string[];
  /**
   * Which authenticators users can create passkeys with: `allow`, `deny`, `requireAttestation`, `certified`,
   * `deviceBound`, further requirements for the `roles` admin and superadmin, `checkSignIns`, and the function `decide`.
   * Default: all.
   */
  authenticators?: AuthenticatorPolicy;
  /** SESSION_TTL: the longest lifetime of a session, for every role. 5 to 31536000 seconds; default 2592000 (30 days). */
  sessionTtlSeconds?: number;
  /**
   * SESSION_IDLE_TIMEOUT: how long a session lives without a request. 2 seconds to the session's lifetime; default
   * 604800 (7 days), or the session's lifetime if this is shorter.
   */
  sessionIdleTimeoutSeconds?: number;
  /**
   * Shorter lifetimes for the sessions of a role, for example `{ superadmin: { ttlSeconds: 28800, idleSeconds: 900 } }`.
   * Default for the roles `admin` and `superadmin`: 86400 seconds (24 hours), and 3600 seconds (an hour) without a
   * request. Variables: ADMIN_SESSION_TTL, ADMIN_SESSION_IDLE_TIMEOUT, SUPERADMIN_SESSION_TTL and
   * SUPERADMIN_SESSION_IDLE_TIMEOUT. Organization admins have the role `user`, so the lifetimes of admins do
   * not apply to them. The functions `ttlSeconds` and `idleSeconds` choose the lifetimes of each new session.
   *
   * @example { ttlSeconds: ({ request, defaultSeconds }) => request?.header('X-Kiosk') ? 3600 : defaultSeconds }
   */
  sessionLifetimes?: LifetimeOptions;
  /** The name, the domain and the SameSite attribute of the cookies. Default: only for the host, `SameSite=Lax`. */
  cookies?: CookieOptions;
  /**
   * BEARER_TOKENS: `true` (in the variable: `on`) also accepts sessions as `Authorization: Bearer`, for native apps and
   * programs. A request that sends `Latchkey-Session: bearer` gets the token in the response, and no cookie. Default:
   * `false`.
   */
  bearerTokens?: boolean;
  /**
   * IMPERSONATION: `true` (in the variable: `on`) lets superadmins and operators open a session as a user with a lower
   * role, for support. The session ends after an hour and cannot change the account. The user and the audit log show who
   * opened it. With `false`, the service also refuses existing impersonated sessions. Default: `false`.
   */
  impersonation?: boolean;
  /**
   * IMPERSONATION_PAGE: the page of the application that the links of `users.impersonate` open: a path or URL. Default:
   * `/impersonate`.
   */
  impersonationPage?: string;
  /**
   * WEBHOOKS: `false` (in the variable: `off`) switches webhooks off: the service sends nothing, their endpoints do not
   * exist, and operator actions are refused. An object allows webhooks to reach networks that are not public
   * (`allowedNetworks`; variable WEBHOOK_ALLOWED_NETWORKS). Default: superadmins and operators can create webhooks for
   * public HTTPS servers.
   */
  webhooks?: WebhookOptions | false;
  /**
   * WEBHOOK_SENDER: whether this process sends events to webhooks. At least one process must do this. If several do, they
   * share the work. With `false` (in the variable: `off`), this process leaves it to the others. Default: `true`.
   */
  webhookSender?: boolean;
  /** Native apps that can use the passkeys. `createWellKnownRouter` publishes them. Default: none. */
  nativeApps?: NativeAppOptions;
  /** REAUTHENTICATION_WINDOW: how long an authentication is fresh. 1 to 86400 seconds; default 600. */
  reauthenticationWindowSeconds?: number;
  /**
   * PRIVILEGED_METHODS: the methods of authentication that can make a session privileged: `passkey`, or
   * `passkey` and `password`. Default: `passkey,password`. Only a privileged session can have fresh
   * authentication and the rights of an admin, a superadmin or an organization admin. If the user has a
   * passkey, a session that was authenticated with a password is never privileged. Without `password`, a user
   * who has no passkey must add one first.
   */
  privilegedMethods?: readonly PrivilegedMethod[];
  /**
   * Who can sign up, and what the application checks and stores at sign-up: `mode` (`open`, `invitation` or
   * `closed`; variable SIGN_UP; default `open`), `organizationInvitations` (variable SIGN_UP_ORGANIZATION_INVITATIONS;
   * default false), `before` and `after`.
   */
  signUp?: SignUpOptions;
  /**
   * ORGANIZATIONS: `false` (in the variable: `off`) switches organizations off: their endpoints do not exist, operator
   * actions are refused, and stored memberships give no rights. An object says who can create organizations (`createdBy`;
   * variable ORGANIZATION_CREATORS) and how many (`perUser`). Default: admins and superadmins can create organizations.
   */
  organizations?: OrganizationOptions | false;
  /**
   * ADMIN_INVITATIONS: `false` (in the variable: `off`) switches invitations with the role `admin` off. They can be
   * neither created nor accepted. Superadmins can still change roles. Default: `true`.
   */
  adminInvitations?: boolean;
  /** TRUST_PROXY: how many proxies are in front of the server. 0 to 16; default 0. */
  trustedProxies?: number;
  /** MAX_RECOVERY_CODES: how many recovery codes a user gets at once. 1 to 20; default 10. */
  maxRecoveryCodes?: number;
  /** RECOVERY_CODE_EXPIRY: after how many days recovery codes expire. 0 to 3650; default 0 (never). */
  recoveryCodeExpiryDays?: number;
  /**
   * ASSISTED_RECOVERY_DELAY: how long users must wait before they can use a new recovery link. 0 to 604800 seconds (7
   * days); default 0. During this time, the user sees the link in every session and can cancel the link.
   */
  assistedRecoveryDelaySeconds?: number;
  /**
   * DELETED_USERNAME_RELEASE: after how many days another user can take the username of a deleted account. 0 to 3650;
   * default 0 (never). The new account has another id, so identify users by id, not by username.
   */
  deletedUsernameReleaseDays?: number;
  /**
   * AUDIT_RETENTION: how many days the audit log keeps an event. 0 (permanently) to 36500; default 400. PCI DSS 10.5.1
   * requires 12 months. The database enforces a minimum, initially 90 days, which only the owner of the schema can
   * change.
   */
  auditRetentionDays?: number;
  /**
   * AUDIT_BURST_THRESHOLD: how many refusals without a session the audit log records one by one, for each event and IP
   * address within ten minutes. It records the number of further refusals as one event. 1 to 1000; default 10.
   */
  auditBurstThreshold?: number;
  /**
   * AUDIT_SEQUENCER: whether this process gives audit events their positions and signs the log. At least one process must
   * do this. If several do, usually only one works at a time. With `false` (in the variable: `off`), this process
   * leaves it to the others. Default: `true`.
   */
  auditSequencer?: boolean;
  /**
   * AUDIT_SIGNING_KEY: the key that signs the audit log, instead of a key derived from `secret`: 32 random bytes in base64
   * or base64url, for example from `npx latchkey secret`. With several keys, all sign, so that they can be rotated.
   */
  auditSigningKey?: string | readonly string[];
  /**
   * AUDIT_VERIFIER_KEYS: the public keys of the audit log, as `latchkey audit checkpoint` prints them. Set it in processes
   * without the signing key: they trust only these keys, and `auditSequencer` must be `false`. A process with
   * `auditSigningKey` trusts them, too.
   */
  auditVerifierKeys?: string | readonly string[];
  /**
   * AUDIT_CHECKPOINT_FILE: a file to which the service appends signed checkpoints of the audit log. Keep it where an
   * attacker with access to the database cannot change it. `latchkey audit verify --witness-file` compares the log with it.
   */
  auditCheckpointFile?: string;
  /**
   * AUDIT_WITNESS_URL: the URL of a witness (C2SP tlog-witness), which cosigns the checkpoints of the audit log. It has no
   * username, password, query and fragment.
   */
  auditWitnessUrl?: string;
  /** AUDIT_WITNESS_KEY: the public key of the witness, such as `witness.example.com+1a2b3c4d+BAb…`. */
  auditWitnessKey?: string;
  /**
   * AUDIT_LOG_PUBLIC: whether everyone can read the signed checkpoint, the hashes and the entries of the audit log. An
   * entry contains the id and the time of its event, but no content. So everyone can count the events, and see when each
   * happened. Set it in all processes, so that events of bursts of refusals name no user and do not reveal who exists.
   * Default: `false`: only superadmins can read them.
   */
  auditLogPublic?: boolean;
  /**
   * AUDIT_WITNESS_FOR: the public keys of the audit logs whose checkpoints this service cosigns as a witness (C2SP
   * tlog-witness). In the service of each log, `latchkey audit checkpoint` prints them. Default: none, so this service is
   * not a witness.
   */
  auditWitnessFor?: string | readonly string[];
  /** RECOVERY_PAGE: the page of the application that recovery links open: a path or URL. Default: `/recover`. */
  recoveryPage?: string;
  /** INVITATION_PAGE: the page of the application that admin invitations open: a path or URL. Default: `/invitation`. */
  invitationPage?: string;
  /** JOIN_PAGE: the page of the application that organization invitations open: a path or URL. Default: `/join`. */
  joinPage?: string;
  /**
   * LOOK_ALIKES: `refuse` rejects a new username that looks like the username of another user, such as `4nna`
   * if `anna` exists (UTS #39). Default: `allow`. Usernames that look like reserved ones, such as `adm1n`,
   * are always rejected.
   */
  lookAlikes?: 'allow' | 'refuse';
  /**
   * USERNAMES: `handle` (letters, digits and `._-`) or `email`. Default: `handle`. In code, can also be an object with
   * a custom pattern and with `change`: who can change usernames. Users who signed up under another rule can still sign
   * in.
   */
  usernames?: 'handle' | 'email' | UsernameOptions;
  /**
   * PASSWORD_MIN_LENGTH: the minimum number of characters of a new password. 8 to 64; default 8. NIST SP
   * 800-63B-4, 3.1.1.2, requires 15 if a password is enough to sign in. Existing passwords stay valid.
   */
  passwordMinLength?: number;
  /**
   * BCRYPT_COST: the bcrypt work factor. 4 to 16, in production at least 10; default 12. After an increase, a password
   * is hashed again when the user next signs in with it.
   */
  bcryptCost?: number;
  /**
   * BREACHED_PASSWORDS_URL: a range API such as `https://api.pwnedpasswords.com`, for checking new passwords. The API
   * receives the first five characters of the password's SHA-1 digest. If the API does not respond within two seconds,
   * the password is accepted. Default: no check.
   */
  breachedPasswordsUrl?: string;
  /** Verifies password hashes of another system, for users from `users.import`. Default: only bcrypt hashes work. */
  password?: PasswordOptions;
  /**
   * Returns the approximate place of an IP address, such as `Oslo, Norway`, or null. The lists of sessions show it. The
   * service calls the function when it reads a list, once for each different address, and stores nothing. A list waits at
   * most half a second. If the function fails or is too slow, the place is null, and the service logs the first failure,
   * with the name of the error only, because its message often contains the address. Default: no places.
   *
   * Read a local file. A request to another service would reveal the IP addresses of your users to that service.
   *
   * @example
   * import { open } from 'maxmind'; // a package of the application, with a file of MaxMind or DB-IP
   * const cities = await open('GeoLite2-City.mmdb');
   * const auth = await createAuthService({
   *   placeOf: (address) => {
   *     const found = cities.get(address);
   *     return [found?.city?.names?.en, found?.country?.names?.en].filter(Boolean).join(', ') || null;
   *   },
   * });
   */
  placeOf?: PlaceOf;
  /** RATE_LIMIT: `false` (in the variable: `off`) disables all rate limits. Default: `true`. */
  rateLimit?: boolean;
  /** For each kind of route: the rate limits of IP addresses and accounts. */
  rateLimits?: BudgetOptions;
  /**
   * REDIS_URL: a Redis server that counts requests for several processes. Also accepts Redis Sentinel
   * (`redis+sentinel://host1:port,host2:port/name-of-the-primary`) and Redis Cluster (`redis+cluster://…`). Default: each
   * process counts alone.
   */
  redisUrl?: string;
  /**
   * The names of the services that accept tokens of `POST /session/token`. A request can choose one name. Without a
   * choice, the token is for the first name. The token's `aud` contains the name. Default: the RP id.
   */
  tokenAudiences?: string | readonly string[];
  /** The environment to read variables from. Default: `process.env`. */
  env?: Readonly<Record<string, string | undefined>>;
  /** The directory for the secret that the service creates in development. Default: `.latchkey`. */
  developmentDirectory?: string;
}
