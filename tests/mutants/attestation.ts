import type { Mutant } from './mutant.ts';

export default [
  {
    file: 'src/attestation/prove-model.ts',
    replace: 'if (model !== null) return inOneForm(model.roots);',
    by: '',
    breaks: 'A certificate of authenticatorRoots proves a model that the metadata contains',
    killedBy: ['tests/features/attestation.test.ts'],
  },
  {
    file: 'src/attestation/certificates.ts',
    replace:
      "if (!certificates.slice(1).every(({ ca }) => ca)) throw new AttestationError('attestation_untrusted');",
    by: '',
    breaks: 'The key of a genuine authenticator signs the certificate of an invented one',
    killedBy: ['tests/features/attestation.test.ts'],
  },
  {
    file: 'src/attestation/library.ts',
    replace: 'return trust ? [...trust.roots] : rootsOfProcess(options);',
    by: 'return rootsOfProcess(options);',
    breaks: 'The certificates of a service are not those of its verification',
    killedBy: ['tests/features/attestation.test.ts'],
  },
  {
    file: 'src/attestation/rules.ts',
    replace: "if (facts.statuses.length > 0) return 'model_compromised';",
    by: '',
    breaks: 'A revoked model is registered',
    killedBy: ['tests/rules/authenticators.test.ts'],
  },
  {
    file: 'src/passkeys/operations/add.ts',
    replace: 'await requireAllowed(runtime, actor, passkey, account.role, { event, target });',
    by: 'await requireAllowed(runtime, actor, passkey, user.role, { event, target });',
    breaks: 'A user who gets a role at the same time adds a passkey that the role excludes',
    killedBy: ['tests/features/authenticator-policy.test.ts'],
  },
  {
    file: 'src/accounts/operations/change-role.ts',
    replace: 'const obstacle = isPromotion ? await runtime.roleObstacle(userId, role) : null;',
    by: 'const obstacle = null as { reason: string; message: string } | null;',
    breaks: 'A user with excluded passkeys becomes an admin',
    killedBy: ['tests/features/authenticator-policy.test.ts'],
  },
  {
    file: 'src/passkeys/operations/verify-authentication-ceremony.ts',
    replace: 'if (runtime.config.authenticators.checkSignIns) {',
    by: 'if (false) {',
    breaks: 'A revoked model signs in',
    killedBy: ['tests/features/authenticator-policy.test.ts'],
  },
  {
    file: 'src/accounts/operations/export-user.ts',
    replace: 'certificates: passkey.attestation_certificates,',
    by: 'certificates: null,',
    breaks: 'The export of a user lacks the certificates, which can identify a device',
    killedBy: ['tests/features/attestation.test.ts'],
  },
  {
    file: 'examples/server/web/explain.ts',
    replace: "(code === 'authenticator_not_allowed' && !translated)",
    by: 'false',
    breaks: 'The pages do not say what a refused authenticator lacks',
    killedBy: ['tests/client/example-pages.test.ts'],
  },
] satisfies Mutant[];
