import { hash } from 'node:crypto';
import { resolve } from 'node:path';
import type { FaultList, Given } from './config-fault.ts';
import { readList, readSwitch } from './config-values.ts';
import { weaknessOf } from './secret-strength.ts';

/** How the checkpoints of the audit log are signed, where they are kept outside of the database, and who can read them. */
export interface AuditLogSettings {
  /** 32 bytes each. All of them sign. Empty: the keys are derived from the secrets. */
  readonly signingKeys: readonly Buffer[];
  /** The public keys of the log. If there are any, but no signing keys, this process trusts only them and does not sign. */
  readonly verifierKeys: readonly string[];
  /** The file that gets the checkpoints. Null: none. */
  readonly checkpointFile: string | null;
  /** The witness that cosigns the checkpoints. Null: none. */
  readonly witness: { readonly url: string; readonly key: string } | null;
  /** Whether everyone can read the checkpoint, the tiles and the entries. */
  readonly isPublic: boolean;
  /** The public keys of the logs whose checkpoints this service cosigns. Empty: it is not a witness. */
  readonly witnessFor: readonly string[];
}

const keyExpected =
  '32 random bytes in base64 or base64url, for example from `npx latchkey secret`; to rotate: several keys, separated by commas';

export function readAuditLog(
  faults: FaultList,
  given: {
    sequencer: { name: string; isOn: boolean };
    signingKey: Given;
    verifierKeys: Given;
    checkpointFile: Given;
    witnessUrl: Given;
    witnessKey: Given;
    public: Given & { option: boolean | undefined };
    witnessFor: Given;
  },
): AuditLogSettings {
  const { sequencer, signingKey, checkpointFile, witnessUrl, witnessKey, witnessFor } = given;
  const signingKeys = readList(signingKey.text).flatMap((text) => {
    const key = seedOf(text);
    if (key === null) faults.addSecret(signingKey.name, text, keyExpected);
    return key ?? [];
  });
  const verifierKeys = readVerifierKeys(faults, given.verifierKeys);
  // Such a process would sign with a key derived from the secret, which no process with the verifier keys accepts.
  if (verifierKeys.length > 0 && signingKey.text === undefined && sequencer.isOn) {
    const [on, off] = sequencer.name === 'auditSequencer' ? ['true', 'false'] : ['on', 'off'];
    faults.addText(
      sequencer.name,
      `${on}, with ${given.verifierKeys.name} but without ${signingKey.name}`,
      `${off}, or ${signingKey.name} if this process signs`,
    );
  }
  return {
    signingKeys,
    verifierKeys,
    checkpointFile: checkpointFile.text === undefined ? null : resolve(checkpointFile.text),
    witness: readWitness(faults, witnessUrl, witnessKey),
    isPublic: readSwitch(faults, given.public.option, given.public),
    witnessFor: readLogKeys(faults, witnessFor),
  };
}

function seedOf(text: string): Buffer | null {
  const bytes = Buffer.from(text, /[+/]/.test(text) ? 'base64' : 'base64url');
  const isCanonical = [bytes.toString('base64'), bytes.toString('base64url')].includes(text);
  return isCanonical && bytes.length === 32 && weaknessOf(text) === null ? bytes : null;
}

function readVerifierKeys(faults: FaultList, { name, text }: Given): readonly string[] {
  const keys = readList(text);
  const expected =
    'the public keys of the audit log, as `latchkey audit checkpoint` prints them, separated by commas';
  // Without a key, the process would trust keys that are derived from the secret.
  if (text !== undefined && keys.length === 0) faults.add(name, text, expected);
  for (const key of keys) if (!isLogKey(key)) faults.add(name, key, expected);
  return keys;
}

function readWitness(faults: FaultList, url: Given, key: Given): AuditLogSettings['witness'] {
  if (url.text === undefined && key.text === undefined) return null;
  // The refused URL can contain credentials.
  if (url.text === undefined || !isWitnessUrl(url.text))
    faults.addSecret(
      url.name,
      url.text,
      'an https URL without username, password, query and fragment, such as https://witness.example.com (http only for localhost)',
    );
  if (key.text === undefined || !isCosignerKey(key.text))
    faults.add(
      key.name,
      key.text,
      'the public key of the witness, such as witness.example.com+1a2b3c4d+BAb…',
    );
  return { url: (url.text ?? '').replace(/\/+$/, ''), key: key.text ?? '' };
}

/** The public keys of logs. The same origin can have several keys, for example during a rotation. */
function readLogKeys(faults: FaultList, { name, text }: Given): string[] {
  const keys = [...new Set(readList(text))];
  for (const key of keys)
    if (!isLogKey(key))
      faults.add(
        name,
        key,
        'public keys of logs, such as example.com/auth/audit-log/1a2b3c4d+5e6f7081+AXy…, separated by commas',
      );
  return keys;
}

function isWitnessUrl(text: string): boolean {
  if (!URL.canParse(text) || /[\s?#]/.test(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  // `fetch` refuses credentials in a URL with an error that repeats them.
  if (`${username}${password}` !== '') return false;
  return (
    protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname))
  );
}

/** The text form of a key for cosignatures (C2SP signed-note, tlog-cosignature): type 4, then 32 bytes. */
const isCosignerKey = (text: string): boolean => keyIn(text)?.bytes[0] === 4;

/** The text form of a key of a log (C2SP signed-note): type 1, then 32 bytes. The id must be that of the name and the key. */
function isLogKey(text: string): boolean {
  const key = keyIn(text);
  if (key?.bytes[0] !== 1) return false;
  const digest = hash('sha256', Buffer.concat([Buffer.from(`${key.name}\n`), key.bytes]), 'hex');
  return digest.startsWith(key.id);
}

function keyIn(text: string): { name: string; id: string; bytes: Buffer } | null {
  const [, name = '', id = '', encoded = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.length === 33 && bytes.toString('base64') === encoded ? { name, id, bytes } : null;
}
