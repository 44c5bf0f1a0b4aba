import {
  type AuthenticationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { createSoftwareAuthenticator } from 'latchkey/testing';
import { origin, rpId } from '../throughput/identity.ts';
import { summaryOf } from '../throughput/summary.ts';

// Measures how many assertions one process can verify without HTTP and without a database.
interface Signed {
  response: AuthenticationResponseJSON;
  challenge: string;
  credential: { id: string; publicKey: Uint8Array<ArrayBuffer>; counter: number };
}

const signed = await Promise.all(Array.from({ length: 200 }, (_, index) => sign(index)));
process.on('message', async ({ seconds, connections }: { seconds: number; connections: number }) => {
  process.send?.(await verifyFor(seconds, connections));
});
process.once('SIGTERM', () => process.exit(0));
process.once('disconnect', () => process.exit(0));
process.send?.({ port: 0 });

async function verifyFor(seconds: number, atOnce: number) {
  const latencies: number[] = [];
  const began = performance.now();
  const loop = async (first: number) => {
    for (let turn = first; performance.now() - began < seconds * 1000; turn += 1) {
      const begun = performance.now();
      await verify(signed[turn % signed.length] as Signed);
      latencies.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, first) => loop(first)));
  return summaryOf(latencies, performance.now() - began);
}

async function verify({ response, challenge, credential }: Signed): Promise<void> {
  const { verified } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    credential,
  });
  if (!verified) throw new Error('A valid assertion was rejected.');
}

async function sign(index: number): Promise<Signed> {
  const authenticator = createSoftwareAuthenticator({ origin });
  const challenge = Buffer.from(`challenge ${index}`.padEnd(32)).toString('base64url');
  const attestation = await authenticator.create({
    rp: { id: rpId, name: 'Bench' },
    user: { id: 'dXNlcg', name: 'user', displayName: 'user' },
    challenge,
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  });
  const { registrationInfo } = await verifyRegistrationResponse({
    response: attestation,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
  });
  if (!registrationInfo) throw new Error('A valid attestation was rejected.');
  const { id, publicKey, counter } = registrationInfo.credential;
  const response = await authenticator.get({ challenge, rpId });
  return { response, challenge, credential: { id, publicKey, counter } };
}
