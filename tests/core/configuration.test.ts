import {
  ConfigurationError,
  type ConfigurationOptions,
  createAuthService,
  type OrganizationSettings,
  readConfiguration,
} from 'latchkey';
import { describe, expect, test, vi } from 'vitest';

const secret = 'kJ9v2Qx7mN4pR8tW1yB5cF0hL3sD6gZaXeUoIuTqVwY';
const databaseUrl = 'postgresql://app:tr0mb0ne@db.internal:5432/shop';

type Environment = Record<string, string | undefined>;
const development: Environment = { DATABASE_URL: databaseUrl, JWT_SECRET: secret };
const production: Environment = {
  ...development,
  NODE_ENV: 'production',
  WEBAUTHN_RP_ID: 'example.com',
  WEBAUTHN_RP_ORIGIN: 'https://example.com',
};

const read = (env: Environment, options: ConfigurationOptions = {}) => readConfiguration({ env, ...options });
const readInDevelopment = (env: Environment) => read({ ...development, ...env });
const readInProduction = (env: Environment) => read({ ...production, ...env });

/** Returns the error that `reading` throws. Fails if it does not throw. */
function refusal(reading: () => unknown): ConfigurationError {
  try {
    reading();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error('the configuration was accepted');
}
const faultsOf = (reading: () => unknown) => refusal(reading).faults;

describe('the defaults', () => {
  test('have the documented values if only the database and the secret are given', () => {
    expect(read(development)).toEqual({
      production: false,
      databaseUrl,
      migrationDatabaseUrl: null,
      serverAddress: { host: null, port: 3000 },
      rpId: 'localhost',
      rpName: 'Latchkey',
      origins: ['http://localhost:3000'],
      appOrigins: [],
      nativeApps: { android: [], apple: [] },
      cookies: { name: 'latchkey', domain: null, sameSite: 'lax', partitioned: false },
      bearerTokens: false,
      impersonation: false,
      webhooks: { allowedNetworks: [] },
      webhookSender: true,
      secrets: [secret],
      passkeyTimeoutMs: 300_000,
      authenticators: {
        attestation: 'none',
        metadata: null,
        metadataRoots: null,
        roots: [],
        requirements: { user: [{}], admin: [{}, {}], superadmin: [{}, {}, {}] },
        checkSignIns: false,
        decide: null,
      },
      sessionTtlSeconds: 2_592_000,
      sessionIdleTimeoutSeconds: 604_800,
      sessionLifetimes: {
        user: { ttlSeconds: 2_592_000, idleSeconds: 604_800 },
        admin: { ttlSeconds: 86_400, idleSeconds: 3600 },
        superadmin: { ttlSeconds: 86_400, idleSeconds: 3600 },
      },
      lifetimeFunctions: {},
      privilegedMethods: ['passkey', 'password'],
      reauthenticationWindowSeconds: 600,
      recoveryCodeExpiryDays: 0,
      deletedUsernameReleaseDays: 0,
      maxRecoveryCodes: 10,
      assistedRecoveryDelaySeconds: 0,
      auditRetentionDays: 400,
      auditBurstThreshold: 10,
      auditSequencer: true,
      auditLog: {
        signingKeys: [],
        verifierKeys: [],
        checkpointFile: null,
        witness: null,
        isPublic: false,
        witnessFor: [],
      },
      recoveryPage: 'http://localhost:3000/recover',
      impersonationPage: 'http://localhost:3000/impersonate',
      hashVerifier: null,
      placeOf: null,
      invitationPage: 'http://localhost:3000/invitation',
      joinPage: 'http://localhost:3000/join',
      lookAlikes: 'allow',
      usernames: { format: 'handle', min: 3, max: 32, change: 'never', pattern: null, canonicalize: null },
      passwordMinLength: 8,
      bcryptCost: 12,
      breachedPasswordsUrl: null,
      redisUrl: null,
      signUpMode: 'open',
      signUpOrganizationInvitations: false,
      organizations: { createdBy: 'admin', perUser: null },
      adminInvitations: true,
      trustedProxies: 0,
      rateLimit: true,
      budgets: {
        read: { address: { max: 600, seconds: 60 }, account: null },
        write: { address: { max: 120, seconds: 60 }, account: null },
        ceremony: { address: { max: 300, seconds: 60 }, account: { max: 60, seconds: 60 } },
        password: { address: { max: 60, seconds: 300 }, account: { max: 10, seconds: 900 } },
        recovery: { address: { max: 20, seconds: 900 }, account: { max: 100, seconds: 900 } },
      },
      tokenAudiences: ['localhost'],
      warnings: [],
    });
  });

  test('come from process.env if no environment is given', () => {
    for (const [variable, value] of Object.entries(development)) vi.stubEnv(variable, value);
    vi.stubEnv('WEBAUTHN_RP_NAME', 'From the process');
    expect(readConfiguration().rpName).toBe('From the process');
    vi.unstubAllEnvs();
  });

  test('include the RP id as the audience of service tokens, unless tokenAudiences is given', () => {
    const audiencesOf = (tokenAudiences: string | string[]) =>
      read(production, { tokenAudiences }).tokenAudiences;
    expect(readInProduction({}).tokenAudiences).toEqual(['example.com']);
    expect(audiencesOf('orders')).toEqual(['orders']);
    expect(audiencesOf(['orders', 'https://billing.example.com', 'orders'])).toEqual([
      'orders',
      'https://billing.example.com',
    ]);
  });

  test.each([[''], [[]], ['two words'], [['orders', '']], ['line\nfeed'], ['x'.repeat(256)]])(
    'do not replace an invalid tokenAudiences: %j',
    (tokenAudiences) => {
      const faults = faultsOf(() => read(production, { tokenAudiences }));
      expect(faults).toMatchObject([{ setting: 'tokenAudiences', expected: expect.stringMatching(/names/) }]);
    },
  );

  test('include an idle timeout that does not exceed a short SESSION_TTL', () => {
    expect(readInDevelopment({ SESSION_TTL: '3600' }).sessionIdleTimeoutSeconds).toBe(3600);
  });

  test('include a development origin with the port of SERVER_ADDR', () => {
    expect(readInDevelopment({ SERVER_ADDR: '127.0.0.1:8080' }).origins).toEqual(['http://localhost:8080']);
    // Browsers omit the default port of http, which is 80.
    expect(readInDevelopment({ SERVER_ADDR: ':80' }).origins).toEqual(['http://localhost']);
  });
});

const numbers = [
  { variable: 'PASSKEY_TIMEOUT', key: 'passkeyTimeoutMs', unit: 'milliseconds', min: 15_000, max: 600_000 },
  { variable: 'SESSION_TTL', key: 'sessionTtlSeconds', unit: 'seconds', min: 5, max: 31_536_000 },
  {
    variable: 'SESSION_IDLE_TIMEOUT',
    key: 'sessionIdleTimeoutSeconds',
    unit: 'seconds',
    min: 2,
    max: 2_592_000,
  },
  {
    variable: 'REAUTHENTICATION_WINDOW',
    key: 'reauthenticationWindowSeconds',
    unit: 'seconds',
    min: 1,
    max: 86_400,
  },
  { variable: 'RECOVERY_CODE_EXPIRY', key: 'recoveryCodeExpiryDays', unit: 'days', min: 0, max: 3650 },
  { variable: 'MAX_RECOVERY_CODES', key: 'maxRecoveryCodes', unit: 'codes', min: 1, max: 20 },
  {
    variable: 'ASSISTED_RECOVERY_DELAY',
    key: 'assistedRecoveryDelaySeconds',
    unit: 'seconds',
    min: 0,
    max: 604_800,
  },
  {
    variable: 'DELETED_USERNAME_RELEASE',
    key: 'deletedUsernameReleaseDays',
    unit: 'days',
    min: 0,
    max: 3650,
  },
  { variable: 'AUDIT_RETENTION', key: 'auditRetentionDays', unit: 'days', min: 0, max: 36_500 },
  { variable: 'AUDIT_BURST_THRESHOLD', key: 'auditBurstThreshold', unit: 'refusals', min: 1, max: 1000 },
  { variable: 'TRUST_PROXY', key: 'trustedProxies', unit: 'proxies', min: 0, max: 16 },
  { variable: 'PASSWORD_MIN_LENGTH', key: 'passwordMinLength', unit: 'characters', min: 8, max: 64 },
  { variable: 'BCRYPT_COST', key: 'bcryptCost', unit: 'number', min: 4, max: 16 },
] as const;

describe.each(numbers)('$variable', ({ variable, key, unit, min, max }) => {
  test.each([min, min + 1, max - 1, max])('accepts %d', (value) => {
    // The audit log keeps events permanently with 0.
    const expected = variable === 'AUDIT_RETENTION' && value === 0 ? null : value;
    expect(readInDevelopment({ [variable]: `${value}` })[key]).toBe(expected);
  });

  const wrong = [
    `${min - 1}`,
    `${max + 1}`,
    `${min}.5`,
    `${min}e1`,
    `+${max}`,
    '0x7fff',
    'many',
    '-1',
    '1 000',
  ];
  const alsoWrong = ['٣٠٠٠٠', `${max}${unit}`, '99999999999999999999', 'NaN', 'Infinity'];
  test.each([...wrong, ...alsoWrong])(
    'rejects %s with an error that names the unit and the range',
    (given) => {
      const faults = faultsOf(() => readInDevelopment({ [variable]: given }));
      expect(faults).toEqual([
        { setting: variable, given: JSON.stringify(given), expected: expect.any(String) },
      ]);
      expect(faults[0]?.expected).toContain(unit);
      expect(faults[0]?.expected).toContain(`from ${min} to ${max}`);
    },
  );
});

test('SESSION_IDLE_TIMEOUT cannot exceed SESSION_TTL', () => {
  const times = (idle: string) => ({ SESSION_TTL: '100', SESSION_IDLE_TIMEOUT: idle });
  expect(readInDevelopment(times('100')).sessionIdleTimeoutSeconds).toBe(100);
  expect(faultsOf(() => readInDevelopment(times('101')))).toMatchObject([
    {
      setting: 'SESSION_IDLE_TIMEOUT',
      given: '"101"',
      expected: expect.stringMatching(/SESSION_TTL.*2 to 100/),
    },
  ]);
});

describe('SERVER_ADDR', () => {
  test.each([
    [':3000', null, 3000],
    [':0', null, 0],
    [':65535', null, 65_535],
    ['localhost:8080', 'localhost', 8080],
    ['127.0.0.1:80', '127.0.0.1', 80],
    ['[::1]:3000', '::1', 3000],
  ])('accepts %s', (given, host, port) => {
    expect(readInDevelopment({ SERVER_ADDR: given }).serverAddress).toEqual({ host, port });
  });

  test.each([
    '3000',
    'localhost',
    ':65536',
    ':-1',
    ':http',
    '::1:3000',
    'http://localhost:3000',
    '[::1]',
    ': 3000',
  ])('rejects %s', (given) => {
    expect(faultsOf(() => readInDevelopment({ SERVER_ADDR: given }))).toEqual([
      {
        setting: 'SERVER_ADDR',
        given: JSON.stringify(given),
        expected: expect.stringContaining(':<port> or host:port'),
      },
    ]);
  });
});

describe.each(['recoveryPage', 'invitationPage', 'joinPage'] as const)('the page option %s', (option) => {
  test.each([
    ['/recover', 'https://example.com/recover'],
    ['/help/recover?from=link', 'https://example.com/help/recover?from=link'],
    ['https://example.com/r', 'https://example.com/r'],
  ])('may be %s', (page, expected) => {
    expect(read(production, { [option]: page })[option]).toBe(expected);
  });

  test.each([
    'https://evil.example/recover',
    'https://me:pw@example.com/recover',
    '//evil.example',
    '/recover#',
    '/recover#token',
    'javascript:alert(1)',
  ])('may not be %s', (page) => {
    expect(faultsOf(() => read(production, { [option]: page }))).toMatchObject([
      { setting: option, given: JSON.stringify(page) },
    ]);
  });
});

describe('organizations', () => {
  test.each<[Record<string, string>, ConfigurationOptions, OrganizationSettings | null]>([
    [{}, {}, { createdBy: 'admin', perUser: null }],
    [{ ORGANIZATIONS: 'off' }, {}, null],
    [{ ORGANIZATIONS: 'on', ORGANIZATION_CREATORS: 'user' }, {}, { createdBy: 'user', perUser: null }],
    [{ ORGANIZATION_CREATORS: 'user' }, { organizations: { perUser: 1 } }, { createdBy: 'user', perUser: 1 }],
    [{ ORGANIZATION_CREATORS: 'user' }, { organizations: false }, null],
    // An object in the code switches organizations on.
    [{ ORGANIZATIONS: 'off' }, { organizations: {} }, { createdBy: 'admin', perUser: null }],
  ])('with the variables %j and the options %j are %j', (env, options, expected) => {
    expect(read({ ...development, ...env }, options).organizations).toEqual(expected);
  });

  test.each<[unknown, string]>([
    ['off', 'organizations'],
    [true, 'organizations'],
    [['admin'], 'organizations'],
    [{ createdBy: 'member' }, 'organizations.createdBy'],
    [{ createdBy: undefined }, 'organizations.createdBy'],
    [{ perUser: undefined }, 'organizations.perUser'],
    [{ perUser: '3' }, 'organizations.perUser'],
    [{ perUser: 0 }, 'organizations.perUser'],
    [{ perUser: 101 }, 'organizations.perUser'],
    [{ perUser: 1.5 }, 'organizations.perUser'],
    [{ perUser: '3' }, 'organizations.perUser'],
    [{ founders: 'user' }, 'organizations.founders'],
  ])('reject the option %j', (organizations, setting) => {
    const faults = faultsOf(() => read(development, { organizations } as ConfigurationOptions));
    expect(faults.map((fault) => fault.setting)).toEqual([setting]);
  });
});

describe('SIGN_UP', () => {
  test.each(['open', 'invitation', 'closed'] as const)('can be %s', (given) => {
    expect(readInDevelopment({ SIGN_UP: given }).signUpMode).toBe(given);
    expect(read(development, { signUp: { mode: given } }).signUpMode).toBe(given);
  });

  test('applies if the option `signUp` has no mode', () => {
    const signUp = { before: () => undefined };
    expect(read({ ...development, SIGN_UP: 'closed' }, { signUp }).signUpMode).toBe('closed');
  });

  test.each(['Open', 'close', 'false'])('cannot be %j', (given) => {
    expect(faultsOf(() => readInDevelopment({ SIGN_UP: given }))).toEqual([
      { setting: 'SIGN_UP', given: JSON.stringify(given), expected: 'open or invitation or closed' },
    ]);
  });

  test.each([undefined, null, '', 'admins'])('does not replace an invalid `signUp.mode`: %j', (mode) => {
    const signUp = { mode: mode as never };
    expect(faultsOf(() => read({ ...development, SIGN_UP: 'closed' }, { signUp }))).toEqual([
      { setting: 'signUp.mode', given: JSON.stringify(`${mode}`), expected: 'open or invitation or closed' },
    ]);
  });
});

describe('SIGN_UP_ORGANIZATION_INVITATIONS', () => {
  const variable = 'SIGN_UP_ORGANIZATION_INVITATIONS';
  const option = 'signUp.organizationInvitations';

  test.each([
    ['on', {}, true],
    ['off', {}, false],
    ['off', { signUp: { organizationInvitations: true } }, true],
    ['on', { signUp: { organizationInvitations: false } }, false],
    ['on', { signUp: { mode: 'invitation' } }, true],
  ] as const)('with the value %s and the options %j is %s', (given, options, expected) => {
    const configuration = read({ ...development, [variable]: given }, options as ConfigurationOptions);
    expect(configuration.signUpOrganizationInvitations).toBe(expected);
  });

  test.each(['true', 'yes', 'ON'])('cannot be %j', (given) => {
    expect(faultsOf(() => readInDevelopment({ [variable]: given }))).toEqual([
      { setting: variable, given: JSON.stringify(given), expected: 'on or off' },
    ]);
  });

  test.each(['on', 'off', 1])('rejects %j as the value of the option', (given) => {
    const signUp = { organizationInvitations: given as never };
    expect(faultsOf(() => read(development, { signUp }))).toEqual([
      { setting: option, given: JSON.stringify(`${given}`), expected: 'true or false' },
    ]);
  });

  test('cannot be on while organizations are off', () => {
    expect(faultsOf(() => readInDevelopment({ [variable]: 'on', ORGANIZATIONS: 'off' }))).toEqual([
      {
        setting: variable,
        given: '"on"',
        expected: 'off while organizations are off (ORGANIZATIONS)',
      },
    ]);
    const options = { organizations: false, signUp: { organizationInvitations: true } } as const;
    expect(faultsOf(() => read(development, options))).toEqual([
      {
        setting: option,
        given: '"true"',
        expected: 'false while organizations are off (organizations)',
      },
    ]);
    const { signUpOrganizationInvitations } = read(development, { organizations: false });
    expect(signUpOrganizationInvitations).toBe(false);
  });
});

describe('LOOK_ALIKES', () => {
  test.each(['allow', 'refuse'] as const)('accepts %s', (given) => {
    expect(readInDevelopment({ LOOK_ALIKES: given }).lookAlikes).toBe(given);
  });

  test.each(['REFUSE', 'on', 'true', 'deny'])('rejects %s', (given) => {
    expect(faultsOf(() => readInDevelopment({ LOOK_ALIKES: given }))).toEqual([
      { setting: 'LOOK_ALIKES', given: JSON.stringify(given), expected: 'allow or refuse' },
    ]);
  });
});

describe('RATE_LIMIT', () => {
  test.each([
    ['on', true],
    ['off', false],
  ])('accepts %s', (given, rateLimit) => {
    expect(readInDevelopment({ RATE_LIMIT: given }).rateLimit).toBe(rateLimit);
  });

  test.each(['ON', 'true', '0', 'no'])('rejects %s', (given) => {
    expect(faultsOf(() => readInDevelopment({ RATE_LIMIT: given }))).toEqual([
      { setting: 'RATE_LIMIT', given: JSON.stringify(given), expected: 'on or off' },
    ]);
  });

  test('logs a warning only for `off` in production', () => {
    expect(readInProduction({ RATE_LIMIT: 'off' }).warnings).toEqual([
      expect.stringContaining('RATE_LIMIT=off'),
    ]);
    expect(readInDevelopment({ RATE_LIMIT: 'off' }).warnings).toEqual([]);
    expect(readInProduction({ RATE_LIMIT: 'on' }).warnings).toEqual([]);
  });
});

describe('DATABASE_URL', () => {
  test.each(['postgresql://db/shop', 'postgres://app:word@[::1]:5432/shop?sslmode=require'])(
    'accepts %s',
    (url) => {
      expect(readInProduction({ DATABASE_URL: url }).databaseUrl).toBe(url);
    },
  );

  test.each([
    'mysql://app:tr0mb0ne@db/shop',
    'app:tr0mb0ne@db/shop',
    'postgresql://app:tr0mb0ne@db:port/shop',
    'tr0mb0ne',
  ])('rejects an invalid PostgreSQL URL without printing it (row %#)', (given) => {
    const error = refusal(() => readInProduction({ DATABASE_URL: given }));
    expect(error.faults).toEqual([
      {
        setting: 'DATABASE_URL',
        given: expect.stringContaining('not shown'),
        expected: expect.stringMatching(/^postgresql:\/\//),
      },
    ]);
    expect(error.message).not.toContain('tr0mb0ne');
  });

  test.each([
    ['production', readInProduction],
    ['development', readInDevelopment],
  ])('is required in %s', (_, reading) => {
    expect(faultsOf(() => reading({ DATABASE_URL: undefined }))).toMatchObject([
      { setting: 'DATABASE_URL', given: 'nothing' },
    ]);
  });

  test('is optional if the application passes a database', () => {
    const options = { database: { query: async () => [] } };
    expect(read({ ...production, DATABASE_URL: undefined }, options).databaseUrl).toBeNull();
  });
});

describe('REDIS_URL', () => {
  test.each([
    'redis://cache:6379',
    'rediss://app:word@cache:6380/1',
    'redis://:100%25@cache:6379',
    'redis+sentinel://one:26379,two:26379/limits',
    'redis+sentinel://app:word@one,two/limits/1',
    'rediss+cluster://one:6379,[2001:db8::1]:6379',
  ])('accepts %s', (url) => {
    expect(readInProduction({ REDIS_URL: url }).redisUrl).toBe(url);
  });

  test.each([
    ['another scheme', 'http://:tr0mb0ne@cache:6379'],
    ['no scheme', 'cache:6379/tr0mb0ne'],
    ['an invalid port', 'redis://:tr0mb0ne@cache:port'],
    ['a password with an unescaped %', 'redis://:tr0mb0ne%@cache:6379'],
    ['several servers without Sentinel or Cluster', 'redis://:tr0mb0ne@one,two'],
    ['Sentinels without the name of the primary', 'redis+sentinel://:tr0mb0ne@one,two'],
    ['a cluster with the number of a database', 'redis+cluster://:tr0mb0ne@one,two/1'],
  ])('rejects %s without printing the URL', (_, given) => {
    const error = refusal(() => readInProduction({ REDIS_URL: given }));
    expect(error.faults).toEqual([
      {
        setting: 'REDIS_URL',
        given: expect.stringContaining('not shown'),
        expected: expect.stringMatching(/^redis:\/\//),
      },
    ]);
    expect(error.message).not.toContain('tr0mb0ne');
  });
});

describe('production', () => {
  test.each<[environment: Environment, isProduction: boolean]>([
    [{}, false],
    [{ NODE_ENV: 'development' }, false],
    [{ NODE_ENV: 'test' }, false],
    [{ WEBAUTHN_RP_ORIGIN: 'http://localhost:3000' }, false],
    [{ WEBAUTHN_RP_ORIGIN: 'https://localhost' }, false],
    [{ WEBAUTHN_RP_ORIGIN: 'https://localhost/' }, false],
    [{ WEBAUTHN_RP_ORIGIN: 'https://localhost:8443' }, false],
    [{ WEBAUTHN_RP_ORIGIN: 'https://localhost:8443/' }, false],
    [{ WEBAUTHN_RP_ID: 'example.com', WEBAUTHN_RP_ORIGIN: 'https://example.com' }, true],
    [{ WEBAUTHN_RP_ID: 'example.com', WEBAUTHN_RP_ORIGIN: 'HTTPS://EXAMPLE.COM' }, true],
    [{ WEBAUTHN_RP_ID: 'localhost.example.com', WEBAUTHN_RP_ORIGIN: 'https://localhost.example.com' }, true],
    [{ NODE_ENV: 'production', WEBAUTHN_RP_ID: 'a.io', WEBAUTHN_RP_ORIGIN: 'https://a.io' }, true],
  ])('is derived from the environment variables: for %j it is %s', (environment, isProduction) => {
    expect(readInDevelopment(environment).production).toBe(isProduction);
  });

  test('requires an RP id and an origin', () => {
    expect(
      faultsOf(() => readInProduction({ WEBAUTHN_RP_ID: undefined, WEBAUTHN_RP_ORIGIN: undefined })),
    ).toMatchObject([
      { setting: 'WEBAUTHN_RP_ID', given: 'nothing' },
      { setting: 'WEBAUTHN_RP_ORIGIN', given: 'nothing' },
    ]);
  });

  test('rejects localhost as the RP id, even with an https origin', () => {
    const localhost = { WEBAUTHN_RP_ID: 'localhost', WEBAUTHN_RP_ORIGIN: 'https://localhost' };
    expect(faultsOf(() => readInProduction(localhost))).toMatchObject([
      {
        setting: 'WEBAUTHN_RP_ID',
        given: '"localhost"',
        expected: expect.stringContaining('development only'),
      },
    ]);
  });

  test.each(['http://example.com', 'http://localhost:3000', 'http://app.example.com:8080'])(
    'rejects the http origin %s',
    (origin) => {
      const faults = faultsOf(() => readInProduction({ WEBAUTHN_RP_ORIGIN: origin }));
      expect(faults).toContainEqual({
        setting: 'WEBAUTHN_RP_ORIGIN',
        given: JSON.stringify(origin),
        expected: expect.stringMatching(/^https/),
      });
    },
  );

  test('rejects a related origin with http', () => {
    const origins = 'https://example.com,http://localhost:3000';
    expect(faultsOf(() => readInProduction({ WEBAUTHN_RP_ORIGIN: origins }))).toMatchObject([
      { setting: 'WEBAUTHN_RP_ORIGIN', given: '"http://localhost:3000"' },
    ]);
  });
});

describe('WEBAUTHN_RP_ID', () => {
  test.each(['example.com', 'accounts.example.co.uk', 'xn--bcher-kva.example', 'a-b.io'])(
    'accepts %s',
    (rpId) => {
      expect(readInProduction({ WEBAUTHN_RP_ID: rpId, WEBAUTHN_RP_ORIGIN: `https://${rpId}` }).rpId).toBe(
        rpId,
      );
    },
  );

  test.each([
    'https://example.com',
    'example.com:443',
    'example.com/',
    'example..com',
    '.example.com',
    'exam ple.com',
    'bücher.example',
    '127.0.0.1',
    '[::1]',
    `${'a'.repeat(64)}.com`,
    '-a.com',
  ])('rejects %s', (rpId) => {
    const faults = faultsOf(() => readInProduction({ WEBAUTHN_RP_ID: rpId }));
    expect(faults).toContainEqual({
      setting: 'WEBAUTHN_RP_ID',
      given: JSON.stringify(rpId),
      expected: expect.stringContaining('the domain that passkeys are bound to'),
    });
  });

  test('requires an origin in development if the RP id is not localhost', () => {
    expect(faultsOf(() => readInDevelopment({ WEBAUTHN_RP_ID: 'example.test' }))).toMatchObject([
      { setting: 'WEBAUTHN_RP_ORIGIN', given: 'nothing' },
    ]);
  });
});

describe('WEBAUTHN_RP_ORIGIN', () => {
  test.each([
    ['https://example.com', ['https://example.com']],
    ['https://example.com/', ['https://example.com']],
    ['HTTPS://Example.COM', ['https://example.com']],
    ['https://example.com:8443', ['https://example.com:8443']],
    ['https://example.com:443', ['https://example.com']],
    ['https://app.example.com', ['https://app.example.com']],
    ['https://a.b.example.com:8443/', ['https://a.b.example.com:8443']],
    [' https://example.com , https://example.de,, ', ['https://example.com', 'https://example.de']],
    [
      'https://example.com,https://shop.example.net:8443',
      ['https://example.com', 'https://shop.example.net:8443'],
    ],
  ])('accepts %j', (given, origins) => {
    expect(readInProduction({ WEBAUTHN_RP_ORIGIN: given }).origins).toEqual(origins);
  });

  test.each([
    'https://example.com/app',
    'https://example.com?tenant=1',
    'https://example.com/?',
    'https://example.com#top',
    'https://ann:word@example.com',
    'https:example.com',
    'https://example.com//',
    'example.com',
    'https://',
    'https://*.example.com',
    'null',
  ])('rejects %s, because an origin contains only scheme, host and port', (given) => {
    const faults = faultsOf(() => readInProduction({ WEBAUTHN_RP_ORIGIN: given }));
    expect(faults).toContainEqual({
      setting: 'WEBAUTHN_RP_ORIGIN',
      given: JSON.stringify(given),
      expected: expect.stringContaining('scheme, host and port only'),
    });
  });

  test.each(['https://example.org', 'https://badexample.com', 'https://example.com.evil.net', 'https://com'])(
    'rejects the first origin %s, because the host is neither the RP id nor a subdomain of the RP id',
    (given) => {
      expect(faultsOf(() => readInProduction({ WEBAUTHN_RP_ORIGIN: given }))).toEqual([
        {
          setting: 'WEBAUTHN_RP_ORIGIN',
          given: JSON.stringify(given),
          expected: expect.stringContaining('example.com'),
        },
      ]);
    },
  );

  test('reports each invalid entry', () => {
    const given = 'https://example.com/app,http://example.de,https://example.fr';
    expect(faultsOf(() => readInProduction({ WEBAUTHN_RP_ORIGIN: given })).map(({ given }) => given)).toEqual(
      ['"https://example.com/app"', '"http://example.de"'],
    );
  });

  test.each(['http://localhost:3000', 'http://localhost', 'https://localhost:8443'])(
    'may be %s in development',
    (origin) => {
      expect(readInDevelopment({ WEBAUTHN_RP_ORIGIN: origin }).origins).toEqual([origin]);
    },
  );

  test.each(['http://127.0.0.1:3000', 'http://example.test', 'ftp://localhost'])(
    'cannot be %s even in development',
    (origin) => {
      const faults = faultsOf(() => readInDevelopment({ WEBAUTHN_RP_ORIGIN: origin }));
      expect(faults).toContainEqual(expect.objectContaining({ setting: 'WEBAUTHN_RP_ORIGIN' }));
    },
  );
});

describe('an empty variable', () => {
  const variables = [
    ...numbers.map(({ variable }) => variable),
    ...[
      'SERVER_ADDR',
      'WEBAUTHN_RP_ID',
      'WEBAUTHN_RP_NAME',
      'WEBAUTHN_RP_ORIGIN',
      'REDIS_URL',
      'RATE_LIMIT',
      'NODE_ENV',
    ],
  ];
  test.each(['', '   ', '\t\n'])('(%j) is treated as missing', (empty) => {
    const environment = Object.fromEntries(variables.map((variable) => [variable, empty]));
    expect(readInDevelopment(environment)).toEqual(read(development));
  });

  test.each(['', ' ', ', ,'])('is rejected in production if the variable is JWT_SECRET (%j)', (empty) => {
    expect(faultsOf(() => readInProduction({ JWT_SECRET: empty }))).toMatchObject([
      { setting: 'JWT_SECRET', given: 'nothing' },
    ]);
  });

  test('is rejected in production if the variable is DATABASE_URL', () => {
    expect(faultsOf(() => readInProduction({ DATABASE_URL: '' }))).toMatchObject([
      { setting: 'DATABASE_URL', given: 'nothing' },
    ]);
  });
});

test('white space around the value of an environment variable is ignored', () => {
  expect(readInDevelopment({ PASSKEY_TIMEOUT: ' 60000\n' }).passkeyTimeoutMs).toBe(60_000);
});

describe('a configuration option', () => {
  const other = 'Zp3Xc8Vb1Nm6Qw4Er9Ty2Ui7Op5As0Df-Gh_JkLzMnB';
  test.each<[variable: string, value: string, options: ConfigurationOptions, expected: object]>([
    ['DATABASE_URL', databaseUrl, { database: 'postgres://b/c' }, { databaseUrl: 'postgres://b/c' }],
    [
      'MIGRATION_DATABASE_URL',
      'mysql://a',
      { migrationDatabase: 'postgres://b/c' },
      { migrationDatabaseUrl: 'postgres://b/c' },
    ],
    ['WEBAUTHN_RP_ID', 'a.example', { rpId: 'example.com' }, { rpId: 'example.com' }],
    ['WEBAUTHN_RP_NAME', 'A', { rpName: 'B' }, { rpName: 'B' }],
    [
      'WEBAUTHN_RP_ORIGIN',
      'https://x.org',
      { origins: 'https://example.com' },
      { origins: ['https://example.com'] },
    ],
    [
      'WEBAUTHN_RP_ORIGIN',
      'https://x.org',
      { origins: ['https://example.com', 'https://example.de'] },
      { origins: ['https://example.com', 'https://example.de'] },
    ],
    ['JWT_SECRET', 'weak', { secret: other }, { secrets: [other] }],
    ['JWT_SECRET', 'weak', { secret: [other, secret] }, { secrets: [other, secret] }],
    ['PASSKEY_TIMEOUT', '1', { passkeyTimeoutMs: 20_000 }, { passkeyTimeoutMs: 20_000 }],
    ['SESSION_TTL', '1', { sessionTtlSeconds: 700_000 }, { sessionTtlSeconds: 700_000 }],
    ['SESSION_IDLE_TIMEOUT', '1', { sessionIdleTimeoutSeconds: 60 }, { sessionIdleTimeoutSeconds: 60 }],
    [
      'REAUTHENTICATION_WINDOW',
      '0',
      { reauthenticationWindowSeconds: 30 },
      { reauthenticationWindowSeconds: 30 },
    ],
    ['PRIVILEGED_METHODS', 'x', { privilegedMethods: ['passkey'] }, { privilegedMethods: ['passkey'] }],
    ['TRUST_PROXY', '99', { trustedProxies: 2 }, { trustedProxies: 2 }],
    ['MAX_RECOVERY_CODES', '0', { maxRecoveryCodes: 20 }, { maxRecoveryCodes: 20 }],
    ['AUDIT_RETENTION', '-1', { auditRetentionDays: 90 }, { auditRetentionDays: 90 }],
    ['AUDIT_RETENTION', '90', { auditRetentionDays: 0 }, { auditRetentionDays: null }],
    ['AUDIT_BURST_THRESHOLD', '0', { auditBurstThreshold: 20 }, { auditBurstThreshold: 20 }],
    ['RECOVERY_CODE_EXPIRY', '-1', { recoveryCodeExpiryDays: 90 }, { recoveryCodeExpiryDays: 90 }],
    [
      'ASSISTED_RECOVERY_DELAY',
      '-1',
      { assistedRecoveryDelaySeconds: 60 },
      { assistedRecoveryDelaySeconds: 60 },
    ],
    ['ORGANIZATIONS', 'perhaps', { organizations: false }, { organizations: null }],
    [
      'ORGANIZATION_CREATORS',
      'nobody',
      { organizations: { createdBy: 'user', perUser: 3 } },
      { organizations: { createdBy: 'user', perUser: 3 } },
    ],
    ['ADMIN_INVITATIONS', 'perhaps', { adminInvitations: false }, { adminInvitations: false }],
    ['SIGN_UP', 'perhaps', { signUp: { mode: 'closed' } }, { signUpMode: 'closed' }],
    [
      'SIGN_UP_ORGANIZATION_INVITATIONS',
      'perhaps',
      { signUp: { organizationInvitations: true } },
      { signUpOrganizationInvitations: true },
    ],
    ['LOOK_ALIKES', 'perhaps', { lookAlikes: 'refuse' }, { lookAlikes: 'refuse' }],
    [
      'USERNAMES',
      'numbers',
      { usernames: 'email' },
      { usernames: expect.objectContaining({ format: 'email' }) },
    ],
    ['PASSWORD_MIN_LENGTH', '7', { passwordMinLength: 15 }, { passwordMinLength: 15 }],
    [
      'DELETED_USERNAME_RELEASE',
      '-1',
      { deletedUsernameReleaseDays: 90 },
      { deletedUsernameReleaseDays: 90 },
    ],
    ['BCRYPT_COST', '1', { bcryptCost: 13 }, { bcryptCost: 13 }],
    ['RATE_LIMIT', 'perhaps', { rateLimit: false }, { rateLimit: false }],
    ['REDIS_URL', 'cache', { redisUrl: 'redis://cache' }, { redisUrl: 'redis://cache' }],
    [
      'BREACHED_PASSWORDS_URL',
      'x',
      { breachedPasswordsUrl: 'https://breaches.example' },
      { breachedPasswordsUrl: 'https://breaches.example' },
    ],
  ])('overrides %s=%s', (variable, value, options, expected) => {
    expect(read({ ...production, [variable]: value }, options)).toMatchObject(expected);
  });

  test.each<ConfigurationOptions>([
    { database: 'mysql://db' },
    { migrationDatabase: 'mysql://db' },
    { rpId: 'no domain' },
    { origins: ['https://example.com', 'https://example.com/app'] },
    { secret: 'short' },
    { passkeyTimeoutMs: 5 },
    { sessionTtlSeconds: 4.5 },
    { sessionIdleTimeoutSeconds: -1 },
    { reauthenticationWindowSeconds: Number.NaN },
    { privilegedMethods: [] as never },
    { privilegedMethods: ['password'] },
    { trustedProxies: 17 },
    { maxRecoveryCodes: 21 },
    { recoveryCodeExpiryDays: 0.5 },
    { assistedRecoveryDelaySeconds: 604_801 },
    { deletedUsernameReleaseDays: 3651 },
    { auditRetentionDays: 36_501 },
    { auditBurstThreshold: 1001 },
    { bcryptCost: 9 },
    { redisUrl: 'cache:6379' },
    { breachedPasswordsUrl: 'yes' },
  ])('with an invalid value is named in the error: %j', (options) => {
    const variables = faultsOf(() => read(production, options)).map(({ setting }) => setting);
    expect(variables).toContain(Object.keys(options)[0]);
  });

  test('that sets the database makes the service ignore MIGRATION_DATABASE_URL', () => {
    const env = { ...development, MIGRATION_DATABASE_URL: 'postgres://owner@b/c' };
    expect(read(env).migrationDatabaseUrl).toBe('postgres://owner@b/c');
    for (const database of ['postgres://d/e', { query: async () => [] }])
      expect(read(env, { database }).migrationDatabaseUrl).toBeNull();
  });

  test('is named in the faults and warnings of settings that depend on it', () => {
    const times = { sessionTtlSeconds: 100, sessionIdleTimeoutSeconds: 101 };
    expect(faultsOf(() => read(development, times))).toMatchObject([
      {
        setting: 'sessionIdleTimeoutSeconds',
        expected: expect.stringContaining('at most sessionTtlSeconds'),
      },
    ]);
    expect(faultsOf(() => read(development, { rpId: 'example.test' }))).toMatchObject([
      { setting: 'WEBAUTHN_RP_ORIGIN', expected: expect.stringContaining('rpId is example.test') },
    ]);
    const { warnings } = read(production, { rateLimit: false });
    expect(warnings).toEqual([expect.stringContaining('rateLimit: false')]);
  });
});

describe('a configuration with a fault in every setting', () => {
  const wrong: Environment = {
    NODE_ENV: 'production',
    SERVER_ADDR: 'nowhere',
    DATABASE_URL: 'mysql://app:tr0mb0ne@db/shop',
    MIGRATION_DATABASE_URL: 'mysql://owner:tr0mb0ne@db/shop',
    WEBAUTHN_RP_ID: 'https://example.com',
    WEBAUTHN_RP_ORIGIN: 'http://example.com',
    JWT_SECRET: 'cl4rinet,b4ssoon',
    PASSKEY_TIMEOUT: '60',
    RECOVERY_CODE_EXPIRY: 'never',
    MAX_RECOVERY_CODES: '0',
    ASSISTED_RECOVERY_DELAY: '604801',
    DELETED_USERNAME_RELEASE: '3651',
    AUDIT_RETENTION: '34560000',
    AUDIT_BURST_THRESHOLD: '0',
    SIGN_UP: 'members',
    SIGN_UP_ORGANIZATION_INVITATIONS: 'yes',
    LOOK_ALIKES: 'deny',
    USERNAMES: 'numbers',
    PASSWORD_MIN_LENGTH: '7',
    BCRYPT_COST: 'hard',
    BREACHED_PASSWORDS_URL: 'somewhere',
    SESSION_TTL: '1',
    SESSION_IDLE_TIMEOUT: '1',
    ADMIN_SESSION_TTL: '1',
    ADMIN_SESSION_IDLE_TIMEOUT: 'soon',
    SUPERADMIN_SESSION_TTL: '-5',
    SUPERADMIN_SESSION_IDLE_TIMEOUT: '1',
    PRIVILEGED_METHODS: 'password',
    REAUTHENTICATION_WINDOW: '0',
    REDIS_URL: 'http://:tr0mb0ne@cache',
    TRUST_PROXY: 'yes',
    RATE_LIMIT: 'maybe',
  };
  const error = refusal(() => read(wrong));

  test('causes one error with each variable, its value and the expected value', () => {
    const variables = Object.keys(wrong).filter((variable) => variable !== 'NODE_ENV');
    expect(new Set(error.faults.map(({ setting }) => setting))).toEqual(new Set(variables));
    for (const { setting, given, expected } of error.faults) {
      expect(error.message).toContain(`${setting}: given ${given}; expected ${expected}`);
    }
    for (const given of ['nowhere', 'https://example.com', 'http://example.com', 'never', 'maybe']) {
      expect(error.message).toContain(JSON.stringify(given));
    }
  });

  test('causes an error that contains no secret, not even a short one', () => {
    for (const text of [error.message, `${error.stack}`, JSON.stringify(error.faults)]) {
      for (const word of ['tr0mb0ne', 'cl4rinet', 'b4ssoon']) expect(text).not.toContain(word);
    }
  });

  test('makes createAuthService fail with the same faults', async () => {
    await expect(createAuthService({ env: wrong })).rejects.toThrow(ConfigurationError);
    await expect(createAuthService({ env: wrong })).rejects.toMatchObject({ faults: error.faults });
  });
});
