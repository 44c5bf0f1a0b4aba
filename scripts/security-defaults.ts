import type { Budget, BudgetName } from '../src/core/budgets.ts';
import type { Configuration } from '../src/core/config.ts';

/** The default of an option or variable that is relevant for security. */
export interface SecurityDefault {
  /** What the default protects. */
  what: string;
  /** The default value. */
  value: string | ((config: Configuration) => string);
  /** What a looser value costs. */
  looser: string;
  /** What a stricter value gains. */
  stricter?: string;
  /** For an option that another branch adds: the name of the branch, and the variable. */
  after?: { branch: string; variable?: string };
}

const page = (
  option: 'recoveryPage' | 'invitationPage' | 'joinPage' | 'impersonationPage',
  link: string,
): SecurityDefault => ({
  what: `The page that ${link} open. It gets the token of the link`,
  value: (config) => `\`${config[option].slice(config.origins[0].length)}\` of the first origin`,
  looser: 'A page of another site could use the links. It must be a page of your service.',
});

/**
 * All options of `createAuthService`, in the order of the table. Null: the option is not relevant for security.
 * `npm run docs` fails if an option is missing here.
 */
export const optionDefaults: Readonly<Record<string, SecurityDefault | null>> = {
  privilegedMethods: {
    what: 'The methods of authentication that can make a session privileged',
    value: '`passkey`, and `password` for users without a passkey',
    looser: 'This is the loosest value. If the user has a passkey, a password session is never privileged.',
    stricter: '`passkey`: a user without a passkey must add one first.',
  },
  sessionTtlSeconds: {
    what: 'The lifetime of a session, however much it is used',
    value: ({ sessionTtlSeconds }) => period(sessionTtlSeconds),
    looser: 'A stolen cookie works for longer.',
    stricter: '`86400` follows NIST SP 800-63B-4 at AAL2.',
  },
  sessionIdleTimeoutSeconds: {
    what: 'The lifetime of a session that is not used',
    value: ({ sessionIdleTimeoutSeconds }) => period(sessionIdleTimeoutSeconds),
    looser: 'A forgotten session on another computer works for longer.',
    stricter: '`3600` follows NIST SP 800-63B-4 at AAL2.',
  },
  sessionLifetimes: {
    what: 'The lifetimes of sessions of admins and superadmins',
    value: '24 hours; 1 hour without use',
    looser: 'A stolen cookie of an admin works for longer.',
  },
  cookies: {
    what: 'Which hosts get the cookies, and which sites cause browsers to send them',
    value: 'only the host that sets them (`__Host-`), with `SameSite=Lax`',
    looser:
      'With `domain`, every host of the domain receives and can overwrite the cookies. With `sameSite: none`, requests of other sites carry them.',
    stricter: '`sameSite: strict`: users who follow a link from another site look signed out.',
  },
  bearerTokens: {
    what: 'Sessions as `Authorization: Bearer`, for native apps',
    value: ({ bearerTokens }) => (bearerTokens ? 'on' : 'off'),
    looser: 'Clients that ask for a token must keep it secret. Scripts can read a token that a page stores.',
  },
  impersonation: {
    what: 'Sessions as another user, for support',
    value: ({ impersonation }) => (impersonation ? 'on' : 'off'),
    looser:
      'A superadmin can read what every user and admin can read. So can a thief with the passkey of a superadmin. The audit log records it.',
  },
  nativeApps: {
    what: 'The native apps that can use the passkeys',
    value: 'none',
    looser: 'Every listed app can ask for the passkeys and act for its users.',
  },
  reauthenticationWindowSeconds: {
    what: 'How long an authentication is fresh',
    value: ({ reauthenticationWindowSeconds }) => period(reauthenticationWindowSeconds),
    looser:
      'A thief with a session, or a passer-by at an unlocked computer, has more time for sensitive actions.',
  },
  passkeyTimeoutMs: {
    what: 'How long a ceremony can take',
    value: ({ passkeyTimeoutMs }) => period(passkeyTimeoutMs / 1000),
    looser: 'A started ceremony can be finished for longer.',
  },
  attestation: {
    what: 'Proof of the model of new authenticators',
    value: 'none: the AAGUID of a passkey is a claim',
    looser: 'This is the loosest value.',
    stricter: '`direct`: the service verifies attestations. Synced passkeys usually have none.',
  },
  authenticatorMetadata: {
    what: 'The certificates and the security status of the models of authenticators',
    value: 'none',
    looser: 'This is the loosest value.',
    stricter: 'With metadata, models that are revoked or compromised cannot be registered.',
  },
  authenticatorRoots: {
    what: 'Further certificates that attestations can lead to',
    value: 'none',
    looser:
      'The owner of the key of such a certificate can attest every model that the metadata does not contain.',
  },
  authenticatorMetadataRoots: {
    what: 'The certificates that the signature of the metadata leads to',
    value: 'those of the FIDO Alliance',
    looser: 'The owner of the key of such a certificate decides which authenticators the service trusts.',
  },
  authenticators: {
    what: 'The authenticators that users can create passkeys with',
    value: 'all',
    looser: 'This is the loosest value.',
    stricter: 'For example, superadmins can be required to use certified security keys.',
  },
  passwordMinLength: {
    what: 'The shortest password',
    value: '8 characters',
    looser: 'This is the loosest value.',
    stricter: '`15` follows NIST SP 800-63B-4 for passwords that are the only factor.',
  },
  breachedPasswordsUrl: {
    what: 'Checking new passwords against known breaches',
    value: ({ breachedPasswordsUrl }) => breachedPasswordsUrl ?? 'off',
    looser: 'This is the loosest value.',
    stricter: '`https://api.pwnedpasswords.com`. The service then sends requests to that site.',
  },
  bcryptCost: {
    what: 'The work of guessing a stolen password hash',
    value: ({ bcryptCost }) => `${bcryptCost}: 2^${bcryptCost} rounds of bcrypt`,
    looser: 'Each step down halves the work. Production refuses values below 10.',
    stricter: 'Each step up doubles the work, also for your processors.',
  },
  password: {
    what: 'Password hashes of other systems',
    value: 'only bcrypt',
    looser:
      'A weak `verify` lets others sign in. If it is slower than bcrypt, the response time shows which accounts are imported and have not signed in since.',
  },
  placeOf: {
    what: 'Showing the places of sessions',
    value: 'off',
    looser:
      'A function that sends requests to another service discloses the IP addresses of users to that service.',
  },
  rateLimit: {
    what: 'Rate limits',
    value: ({ rateLimit }) => (rateLimit ? 'on' : 'off'),
    looser: 'Passwords and codes can be guessed without limit. The service logs a warning in production.',
  },
  rateLimits: {
    what: 'Guesses of a password for each account, and for each browser that has signed in before',
    value: ({ budgets }) => budgetText(budgets, 'password'),
    looser: 'More guesses for strangers. `account: null` removes the limit.',
    stricter: 'Strangers block password sign-in on new browsers earlier.',
  },
  redisUrl: {
    what: 'Counting requests over all processes',
    value: ({ redisUrl }) => redisUrl ?? 'each process counts alone',
    looser: 'This is the loosest value: with four processes, an attacker has up to four budgets.',
    stricter: 'All processes share one budget.',
  },
  trustedProxies: {
    what: 'The proxies whose `X-Forwarded-For` the service trusts',
    value: ({ trustedProxies }) => `${trustedProxies} proxies: the address of the connection`,
    looser:
      'A number above the real one lets clients choose their IP address, in rate limits and the audit log.',
  },
  signUp: {
    what: 'Who can sign up',
    value: '`open`: everyone',
    looser: 'This is the loosest value.',
    stricter:
      '`invitation`: only users with an invitation; links to organizations do not count, unless `organizationInvitations` is on. `closed`: only an operator creates accounts. `before` can refuse each sign-up.',
  },
  organizations: {
    what: 'Whether the service has organizations, and who can create them',
    value: 'yes; admins and superadmins',
    looser:
      '`createdBy: user`: every user can create organizations and invite users. Limit them with `perUser`.',
    stricter: '`false`, or `createdBy: superadmin`.',
  },
  adminInvitations: {
    what: 'Whether superadmins can invite users to become admins',
    value: ({ adminInvitations }) => (adminInvitations ? 'on' : 'off'),
    looser: 'This is the loosest value.',
    stricter: '`false`: an admin gets the role only from a superadmin or an operator.',
  },
  lookAlikes: {
    what: 'Usernames that look like those of other users',
    value: '`allow`; names that look like reserved names are always refused',
    looser: 'This is the loosest value.',
    stricter: '`refuse`: no user can sign up as `4nna` beside `anna`.',
  },
  usernames: {
    what: 'Which usernames users can choose, and who can change them',
    value: '`handle`; only operators can change usernames',
    looser:
      '`change`: log entries of other systems that contain only a username become ambiguous. An earlier username stays taken.',
  },
  deletedUsernameReleaseDays: {
    what: 'When the username of a deleted account can be taken',
    value: 'never',
    looser: 'Users can mistake the new account for the old one.',
  },
  maxRecoveryCodes: {
    what: 'Recovery codes of an account',
    value: ({ maxRecoveryCodes }) => `${maxRecoveryCodes}`,
    looser: 'More codes can be lost or stolen. At most 20.',
  },
  recoveryCodeExpiryDays: {
    what: 'The lifetime of unused recovery codes',
    value: ({ recoveryCodeExpiryDays }) =>
      recoveryCodeExpiryDays === 0 ? 'no end' : `${recoveryCodeExpiryDays} days`,
    looser: 'This is the loosest value.',
    stricter: 'A lost list becomes useless. Users must replace their codes in time.',
  },
  assistedRecoveryDelaySeconds: {
    what: 'The time between the creation of a recovery link and its first use',
    value: ({ assistedRecoveryDelaySeconds }) =>
      assistedRecoveryDelaySeconds === 0 ? 'none' : period(assistedRecoveryDelaySeconds),
    looser: 'This is the loosest value.',
    stricter: '`86400`: users have a day to see and cancel a link that they did not ask for.',
  },
  recoveryPage: page('recoveryPage', 'recovery links'),
  invitationPage: page('invitationPage', 'admin invitations'),
  joinPage: page('joinPage', 'organization invitations'),
  impersonationPage: page('impersonationPage', 'impersonation links'),
  webhooks: {
    what: 'Whether superadmins and operators can send audit events to other servers, and which servers webhooks can reach',
    value: 'public HTTPS servers only',
    looser:
      '`allowedNetworks`: a superadmin can send requests to these networks. List only what the receivers need.',
    stricter:
      '`false`: the service sends no events. A thief with the passkey of a superadmin cannot add a receiver.',
  },
  webhookSender: null,
  auditRetentionDays: {
    what: 'How long the audit log keeps an event',
    value: ({ auditRetentionDays }) =>
      auditRetentionDays === null ? 'no end' : `${auditRetentionDays} days`,
    looser: 'Less time: old events are missing in an investigation. More time: more personal data is kept.',
  },
  auditBurstThreshold: {
    what: 'Refusals for an IP address that the audit log records one by one, for each event in ten minutes',
    value: ({ auditBurstThreshold }) => `${auditBurstThreshold}`,
    looser: 'A flood of refused requests writes more to the disk.',
  },
  auditSequencer: {
    what: 'Whether a process gives audit events their positions and signs the log',
    value: 'yes, every process',
    looser: 'This is the loosest value: an attacker who takes over any process can sign.',
    stricter:
      '`false` in the processes that serve requests, and one more process with `auditSequencer` and `auditSigningKey`.',
  },
  auditSigningKey: {
    what: 'The key that signs the checkpoints of the audit log',
    value: 'derived from `secret`',
    looser: 'This is the loosest value: every process with the secret can sign.',
    stricter: 'A key of its own, which does not change when the secret changes.',
  },
  auditVerifierKeys: {
    what: 'The public keys that a process trusts for the audit log',
    value: 'those of `auditSigningKey`; without it, those of `secret`',
    looser:
      'This is the loosest value: an attacker who knows `secret` can sign a log that the process accepts.',
    stricter: 'The public key of the only process that signs.',
  },
  auditCheckpointFile: {
    what: 'A file outside of the database that gets the checkpoints of the audit log',
    value: 'none; the service writes checkpoints to its log at the level `info`',
    looser: 'The removal of the newest events goes unnoticed if no checkpoint is kept elsewhere.',
    stricter: 'A file on another machine or on storage that only appends.',
  },
  auditWitnessUrl: {
    what: 'A witness that cosigns the checkpoints of the audit log',
    value: 'none',
    looser: 'This is the loosest value.',
    stricter: 'A witness of another team: it refuses to cosign a log that was rolled back.',
  },
  auditWitnessKey: null,
  auditLogPublic: {
    what: 'Who can read the checkpoint, the hashes and the entries of the audit log. They contain no content of events',
    value: 'superadmins',
    looser: '`true`: everyone can count the events, and see when each happened, to the microsecond.',
  },
  auditWitnessFor: {
    what: 'The other audit logs whose checkpoints this service cosigns',
    value: 'none',
    looser:
      'Anyone who has a signed checkpoint of these logs can make this service change one row in its database.',
  },
  rpId: {
    what: 'The domain whose pages can use the passkeys',
    value: 'none in production: the service does not start without it',
    looser: 'With a parent domain, every subdomain can ask for the passkeys.',
  },
  origins: {
    what: 'The origins of pages and Android apps that can sign in and change data',
    value: 'none in production; https only',
    looser: 'Every further origin can act for its visitors.',
  },
  secret: {
    what: 'The secret that encrypts challenges and signs service tokens',
    value: 'none in production; at least 32 random bytes',
    looser:
      'Production accepts no weaker secret. A second secret, for a rotation, is accepted everywhere, too.',
  },
  tokenAudiences: {
    what: 'The services that accept a service token',
    value: ({ tokenAudiences }) => `\`${tokenAudiences[0]}\`, the RP id`,
    looser: 'If two services share an audience, each can use the tokens that it receives at the other.',
  },
  userFields: {
    what: 'Who can read and write own fields',
    value: 'no own fields; each field names its readers and writers',
    looser: '`user` shows the field to the user, and to the admins who manage the user.',
  },
  capabilities: {
    what: 'What each role can do',
    value: 'the built-in capabilities; everything else is denied',
    looser: 'Your capabilities only apply to your own routes.',
    stricter: '`false` or a narrower scope for a built-in capability.',
  },
  organizationRoles: {
    what: 'Custom organization roles',
    value: 'none',
    looser:
      'A custom role can have built-in capabilities of organization admins. Its members can give only roles whose capabilities they also have.',
  },
  migrate: {
    what: 'Whether the service changes the schema on start',
    value: 'no',
    looser: 'The service needs a database role that owns the schema, unless another role migrates.',
  },
  migrationDatabase: {
    what: 'The database role that owns the schema and migrates it',
    value: 'the role in `database`',
    looser: 'This is the loosest value: this role can also remove the protection of the audit log.',
    stricter:
      'With a separate role for migrations, the service can change neither the schema nor recorded events.',
  },
  developmentDirectory: {
    what: 'Where the service keeps its secret in development',
    value: '`.latchkey`, in a file that only its owner can read',
    looser: 'In production, the service reads no secret from there.',
  },
  redis: null,
  database: null,
  rpName: null,
  env: null,
  log: null,
  clock: null,
};

/** The variables of the example server and of `latchkey bootstrap`, in the order of the table. */
export const variableDefaults: Readonly<Record<string, SecurityDefault | null>> = {
  'ADMIN_SESSION_TTL, ADMIN_SESSION_IDLE_TIMEOUT, SUPERADMIN_SESSION_TTL, SUPERADMIN_SESSION_IDLE_TIMEOUT': {
    what: 'The lifetimes of sessions of admins and superadmins, like `sessionLifetimes`',
    value: '24 hours; 1 hour without use',
    looser: 'A stolen cookie of an admin works for longer.',
  },
  WEBHOOK_ALLOWED_NETWORKS: {
    what: 'The networks that webhooks can reach, like `webhooks.allowedNetworks`',
    value: 'none, in addition to public addresses',
    looser: 'A superadmin can send requests to these networks. List only what the receivers need.',
  },
  ORGANIZATION_CREATORS: {
    what: 'Who can create organizations, like `organizations.createdBy`',
    value: '`admin`: admins and superadmins',
    looser: '`user`: every user can create organizations and invite users.',
    stricter: '`superadmin`.',
  },
  SIGN_UP: {
    what: 'Who can sign up, like `signUp.mode`',
    value: '`open`: everyone',
    looser: 'This is the loosest value.',
    stricter: '`invitation` or `closed`.',
  },
  SIGN_UP_ORGANIZATION_INVITATIONS: {
    what: 'Whether links to organizations allow a sign-up, like `signUp.organizationInvitations`',
    value: '`off`',
    looser: '`on`: every user who can invite to an organization can let others sign up.',
  },
  SERVER_ADDR: {
    what: 'Where the server listens',
    value: '`:3000`, on all IP addresses',
    looser: 'This is the loosest value.',
    stricter: '`127.0.0.1:3000` behind a proxy on the same machine.',
  },
  METRICS_ADDR: {
    what: 'Where the server serves metrics',
    value: 'nowhere; without a host, only on this machine',
    looser: '`0.0.0.0:9464`: everyone in the network sees how many users sign in.',
  },
  'TLS_CERTIFICATE, TLS_KEY': {
    what: 'https without a proxy',
    value: 'off: the server uses http, for a proxy or for localhost',
    looser: 'This is the loosest value.',
    stricter: 'With a certificate, the server accepts only https (TLS 1.2 and 1.3).',
  },
  NODE_ENV: {
    what: 'Whether the service refuses to start with weak settings',
    value: 'production, if an origin is https and not localhost',
    looser: 'With an https origin, the service always runs in production.',
    stricter: '`production`: also without an https origin.',
  },
  BOOTSTRAP_ADMIN_PASSWORD: {
    what: 'The first password of the first superadmin',
    value: 'none',
    looser: 'Other programs of the same user can read variables. Remove it after the bootstrap.',
  },
  BOOTSTRAP_ADMIN_USERNAME: null,
  'BRAND_NAME, BRAND_LOGO, BRAND_ACCENT': null,
  LOG_LEVEL: null,
};

const period = (seconds: number): string => {
  const [count, unit] =
    seconds % 86_400 === 0
      ? [seconds / 86_400, 'day']
      : seconds % 3600 === 0
        ? [seconds / 3600, 'hour']
        : [seconds / 60, 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
};

function budgetText(budgets: Configuration['budgets'], name: BudgetName): string {
  const { max, seconds } = budgets[name].account as Budget;
  return `${max} in ${period(seconds)}`;
}
