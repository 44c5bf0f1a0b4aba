import type { FuzzTarget } from './fuzz-target.ts';
import { attestationObject } from './targets/attestation-object.ts';
import { auditProof } from './targets/audit-proof.ts';
import { authenticatorData } from './targets/authenticator-data.ts';
import { clientData } from './targets/client-data.ts';
import { cookies } from './targets/cookies.ts';
import { coseKey } from './targets/cose-key.ts';
import { json } from './targets/json.ts';
import { webhookUrl } from './targets/webhook-url.ts';

export const targets: readonly FuzzTarget[] = [
  attestationObject,
  auditProof,
  authenticatorData,
  clientData,
  cookies,
  coseKey,
  json,
  webhookUrl,
];

export function targetNamed(name: string): FuzzTarget {
  const target = targets.find((one) => one.name === name);
  if (!target) throw new TypeError(`${name}: expected one of ${targets.map((one) => one.name).join(', ')}`);
  return target;
}
