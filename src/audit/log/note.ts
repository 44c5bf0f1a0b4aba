import { createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';

/** The signature types of C2SP signed-note that Latchkey knows. */
export const signatureTypes = { ed25519: 0x01, cosignature: 0x04 } as const;

/** A public key that verifies signatures of notes. */
export interface NoteVerifier {
  name: string;
  /** Four bytes. The name and the id together identify the key. */
  keyId: Buffer;
  type: number;
  publicKey: KeyObject;
}

/** A private key that signs notes. */
export interface NoteSigner {
  name: string;
  keyId: Buffer;
  /** Returns the signature without the key id. */
  sign(text: string): Buffer;
}

export interface NoteSignature {
  name: string;
  keyId: Buffer;
  /** The signature without the key id. */
  signature: Buffer;
  /** The signature line of the note, without the line break. */
  line: string;
}

/** A note whose signatures by known keys are valid. */
export interface OpenedNote {
  text: string;
  /** At least one. */
  verified: NoteSignature[];
  /** The signatures by unknown keys. */
  unverified: NoteSignature[];
}

/** A note is malformed, or has no valid signature. */
export class NoteError extends Error {
  override name = 'NoteError';
}

const mostSignatures = 100;
const mostCharacters = 1_000_000;
const dash = '\u2014';
// A key name has no white space (as Unicode defines it) and no plus. U+FEFF is white space only in JavaScript.
const nameForm = /^[^\s+\u0085]+$/u;

/** Returns whether a text can be the name of a key. */
export const isKeyName = (name: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a note has no control characters
  nameForm.test(name) && !/[\u0000-\u001f]/.test(name) && name.isWellFormed();

/** Returns the id of a key: the first four bytes of a hash of its name, type and public key. */
function keyIdOf(name: string, type: number, publicKey: KeyObject): Buffer {
  const bytes = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(type), rawKeyOf(publicKey)]);
  return hash('sha256', bytes, 'buffer').subarray(0, 4);
}

/** Returns the text form of a public key: `<name>+<id>+<key>`. Programs that verify notes take this text. */
export function verifierKey({ name, keyId, type, publicKey }: NoteVerifier): string {
  const key = Buffer.concat([Buffer.of(type), rawKeyOf(publicKey)]);
  return `${name}+${keyId.toString('hex')}+${key.toString('base64')}`;
}

/**
 * Reads the text form of a public key.
 *
 * @throws NoteError
 */
export function readVerifierKey(text: string): NoteVerifier {
  const [, name = '', id = '', encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/s.exec(text) ?? [];
  const bytes = fromBase64(encoded);
  const type = bytes?.[0];
  const isKnown = type === signatureTypes.ed25519 || type === signatureTypes.cosignature;
  if (!isKeyName(name) || bytes?.length !== 33 || !isKnown)
    throw new NoteError(
      `"${text}" is not a public key for notes; expected <name>+<8 hexadecimal digits>+<base64>, with an Ed25519 key`,
    );
  const publicKey = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: bytes.subarray(1).toString('base64url') },
    format: 'jwk',
  });
  const verifier = noteVerifier(name, publicKey, type);
  if (verifier.keyId.toString('hex') !== id)
    throw new NoteError(`the id in the public key "${text}" does not match the name and the key`);
  return verifier;
}

export function noteVerifier(
  name: string,
  publicKey: KeyObject,
  type: number = signatureTypes.ed25519,
): NoteVerifier {
  return { name, keyId: keyIdOf(name, type, publicKey), type, publicKey };
}

/** Returns a signer with Ed25519. */
export function noteSigner(name: string, privateKey: KeyObject): NoteSigner {
  const keyId = keyIdOf(name, signatureTypes.ed25519, createPublicKey(privateKey));
  return { name, keyId, sign: (text) => sign(null, Buffer.from(text), privateKey) };
}

/**
 * Returns a signer for the cosignatures of a witness (C2SP tlog-cosignature).
 *
 * @param now returns the time in milliseconds
 */
export function cosigner(name: string, privateKey: KeyObject, now: () => number): NoteSigner {
  const keyId = keyIdOf(name, signatureTypes.cosignature, createPublicKey(privateKey));
  return {
    name,
    keyId,
    sign: (text) => {
      const seconds = Math.floor(now() / 1000);
      const time = Buffer.alloc(8);
      time.writeBigUInt64BE(BigInt(seconds));
      return Buffer.concat([time, sign(null, cosignedText(text, String(seconds)), privateKey)]);
    },
  };
}

/** Returns the time of a cosignature in seconds since 1970. */
export const cosignedAt = ({ signature }: NoteSignature): number => Number(signature.readBigUInt64BE(0));

/**
 * Signs a text (C2SP signed-note).
 *
 * @param text ends with a line break
 * @throws NoteError
 */
export function signNote(text: string, signers: readonly NoteSigner[]): string {
  if (!isNoteText(text)) throw new NoteError('the text of a note must end with a line break');
  if (signers.length === 0) throw new NoteError('a note needs a signature');
  return `${text}\n${signers.map((signer) => signatureLine(signer, text)).join('')}`;
}

/** Returns the line with one signature, with the line break. */
export function signatureLine(signer: NoteSigner, text: string): string {
  if (!isKeyName(signer.name)) throw new NoteError(`"${signer.name}" cannot be the name of a key`);
  const signature = Buffer.concat([signer.keyId, signer.sign(text)]);
  return `${dash} ${signer.name} ${signature.toString('base64')}\n`;
}

/**
 * Reads a note without verifying it. Nothing in the note can be trusted.
 *
 * @throws NoteError if the note is malformed
 */
export function readNote(note: string): { text: string; signatures: NoteSignature[] } {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || note.length > mostCharacters || !isNoteText(note)) throw new NoteError('malformed note');
  const text = note.slice(0, end + 1);
  const lines = note.slice(end + 2, -1).split('\n');
  if (lines.length > mostSignatures) throw new NoteError(`a note has at most ${mostSignatures} signatures`);
  return { text, signatures: lines.map(readSignature) };
}

function readSignature(line: string): NoteSignature {
  const [, name = '', encoded = ''] = new RegExp(`^${dash} ([^ ]+) ([^ ]+)$`).exec(line) ?? [];
  const bytes = fromBase64(encoded);
  if (!isKeyName(name) || !bytes || bytes.length < 5) throw new NoteError('malformed note');
  return { name, keyId: bytes.subarray(0, 4), signature: bytes.subarray(4), line };
}

/**
 * Reads a note, and verifies the signatures of known keys. Ignores the signatures of other keys.
 *
 * @throws NoteError if the note is malformed, if a signature of a known key is wrong, or if no known key has signed
 */
export function openNote(note: string, verifiers: readonly NoteVerifier[]): OpenedNote {
  const { text, signatures } = readNote(note);
  const verified: NoteSignature[] = [];
  const unverified: NoteSignature[] = [];
  for (const signature of signatures) {
    const verifier = verifiers.find(
      ({ name, keyId }) => name === signature.name && keyId.equals(signature.keyId),
    );
    if (!verifier) unverified.push(signature);
    else if (isValid(text, signature.signature, verifier)) verified.push(signature);
    else throw new NoteError(`invalid signature for key ${verifier.name}+${verifier.keyId.toString('hex')}`);
  }
  if (verified.length === 0) throw new NoteError('no known key has signed the note');
  return { text, verified, unverified };
}

function isValid(text: string, signature: Buffer, { type, publicKey }: NoteVerifier): boolean {
  if (type === signatureTypes.ed25519) return verify(null, Buffer.from(text), publicKey, signature);
  if (signature.length !== 72) return false;
  const time = signature.readBigUInt64BE(0);
  if (time > 2n ** 63n - 1n) return false;
  return verify(null, cosignedText(text, String(time)), publicKey, signature.subarray(8));
}

const cosignedText = (text: string, seconds: string) =>
  Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`);

const isNoteText = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a note has no control characters but line breaks
  text.endsWith('\n') && text.isWellFormed() && !/[\u0000-\u0009\u000b-\u001f]/.test(text);

/** Returns the 32 bytes of an Ed25519 public key. */
const rawKeyOf = (publicKey: KeyObject) =>
  Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');

/** Decodes base64 (RFC 4648, section 4). Returns undefined for any other spelling of the bytes. */
export function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
