/**
 * Adds what the service knows of the attestation of a passkey.
 *
 * `attestation_format` is null if the service requested no attestation. `attested` says whether the attestation proves
 * the model. `attestation_root` is the SHA-256 hash of the certificate that it leads to, and `certification` the FIDO
 * certification of the model at registration. `attestation_certificates` contains certificates in base64, which can
 * identify one device, only with the preference `enterprise`.
 */
export const attestation = {
  version: 31,
  name: 'attestation',
  compatibleWith: 23,
  script: `
alter table latchkey.passkeys
  add column attested boolean not null default false,
  add column attestation_format text,
  add column attestation_root text,
  add column certification text,
  add column attestation_certificates jsonb;
`,
};
