import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server';
import type { SoftwareAuthenticator } from 'latchkey/testing';
import { origin } from '../../support/test-service.ts';

const rpID = new URL(origin).hostname;

/** Registers a passkey at another system that uses SimpleWebAuthn. */
export async function registerAtOldSystem(
  authenticator: SoftwareAuthenticator,
  userID?: Uint8Array<ArrayBuffer>,
) {
  const options = await generateRegistrationOptions({
    rpName: 'The other system',
    rpID,
    userName: 'ada',
    ...(userID && { userID }),
  });
  const response = await authenticator.create(options as Parameters<SoftwareAuthenticator['create']>[0]);
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: options.challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
  });
  if (!registrationInfo) throw new Error('the other system refused the registration');
  const { credential, credentialDeviceType, credentialBackedUp, aaguid } = registrationInfo;
  return {
    id: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: (credential.transports ?? []).join(','),
    deviceType: credentialDeviceType,
    backedUp: credentialBackedUp,
    aaguid,
    userHandle: options.user.id,
  };
}
