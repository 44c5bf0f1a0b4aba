import { createHash } from 'node:crypto';
import { encodeCBOR } from '@levischuck/tiny-cbor';
import { type Bytes, concatBytes, fromHex } from './bytes.ts';
import { type AuthenticatorFlag, type CeremonyTampering, transformed } from './tampering.ts';

interface AuthenticatorState {
  rpId: string;
  signCount: number;
  backupEligible: boolean;
  backedUp: boolean;
}

interface AttestedCredential {
  /** A UUID. */
  aaguid: string;
  id: Uint8Array;
  /** A COSE key. */
  publicKey: Uint8Array;
}

/** The flags, from the lowest bit to the highest bit. */
const FLAGS: readonly AuthenticatorFlag[] = ['up', 'rfu1', 'uv', 'be', 'bs', 'rfu2', 'at', 'ed'];

/**
 * Encodes RP ID hash, flags, counter, attested credential data and extensions (WebAuthn Level 3, 6.1). Applies the
 * changes of `tamper` before signing, so the signature covers them.
 */
export function encodeAuthenticatorData(
  state: AuthenticatorState,
  attested: AttestedCredential | undefined,
  tamper: CeremonyTampering,
): Bytes {
  const { rpId = state.rpId, signCount = state.signCount, extensionData } = tamper;
  const flags = {
    up: true,
    uv: true,
    be: state.backupEligible,
    bs: state.backedUp,
    at: attested !== undefined,
    ed: extensionData !== undefined,
    ...tamper.flags,
  };
  const data = concatBytes(
    createHash('sha256').update(rpId, 'utf8').digest(),
    Uint8Array.of(flagsByte(flags)),
    bigEndian(4, signCount),
    attested ? encodeAttestedCredential(attested) : Uint8Array.of(),
    extensionData instanceof Map ? encodeCBOR(extensionData) : (extensionData ?? Uint8Array.of()),
  );
  return transformed(data, tamper.authenticatorData);
}

function flagsByte(flags: Partial<Record<AuthenticatorFlag, boolean>>): number {
  return FLAGS.reduce((byte, flag, bit) => (flags[flag] ? byte | (1 << bit) : byte), 0);
}

/** WebAuthn Level 3, 6.5.1. */
function encodeAttestedCredential({ aaguid, id, publicKey }: AttestedCredential): Bytes {
  return concatBytes(fromHex(aaguid.replaceAll('-', '')), bigEndian(2, id.length), id, publicKey);
}

function bigEndian(size: number, value: number): Uint8Array {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, 0, size);
  return bytes;
}
