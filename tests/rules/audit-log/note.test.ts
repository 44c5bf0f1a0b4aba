import { createPublicKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { checkpointText, logOrigin, readCheckpoint } from '../../../src/audit/log/checkpoint.ts';
import { createLogKeys } from '../../../src/audit/log/log-keys.ts';
import {
  cosignedAt,
  cosigner,
  isKeyName,
  noteSigner,
  noteVerifier,
  openNote,
  readNote,
  readVerifierKey,
  signatureLine,
  signatureTypes,
  signNote,
  verifierKey,
} from '../../../src/audit/log/note.ts';
import { signingKeyFrom } from '../../../src/core/signing-keys.ts';
import { randomBytesOf } from '../../support/random.ts';

const randomBytes = randomBytesOf('rules/audit-log/note');

/** The keys and the notes of golang.org/x/mod/sumdb/note (note_test.go). C2SP signed-note has the same format. */
const peterKey = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const peterSeed = Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64').subarray(1);
const enochKey = 'EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop';
const text =
  "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const peterSig =
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
const enochSig =
  '— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n';
const [peter, enoch] = [readVerifierKey(peterKey), readVerifierKey(enochKey)];

describe('a signed note', () => {
  test('has the published signature', () => {
    const { privateKey } = signingKeyFrom(peterSeed);
    expect(signNote(text, [noteSigner('PeterNeumann', privateKey)])).toBe(`${text}\n${peterSig}`);
  });

  test('opens with one of two keys, and reports the other signature as unverified', () => {
    const note = openNote(`${text}\n${peterSig}${enochSig}`, [peter]);
    expect(note.text).toBe(text);
    expect(note.verified.map(({ name }) => name)).toStrictEqual(['PeterNeumann']);
    expect(note.unverified.map(({ name }) => name)).toStrictEqual(['EnochRoot']);
  });

  test('opens with both keys', () => {
    const { verified, unverified } = openNote(`${text}\n${peterSig}${enochSig}`, [peter, enoch]);
    expect(verified.map(({ name }) => name)).toStrictEqual(['PeterNeumann', 'EnochRoot']);
    expect(unverified).toHaveLength(0);
  });

  test('does not open without a known key', () => {
    expect(() => openNote(`${text}\n${peterSig}`, [])).toThrow('no known key has signed the note');
    expect(() => openNote(`${text}\n${peterSig.replace('PeterNeumann', 'Carmen')}`, [peter])).toThrow(
      'no known key has signed the note',
    );
  });

  test('does not open if the signature of a known key is wrong, even if another one is valid', () => {
    const forged = peterSig.replace('x08go/ZJ', 'x08go/ZK');
    expect(() => openNote(`${text}\n${enochSig}${forged}`, [peter, enoch])).toThrow(
      'invalid signature for key PeterNeumann+c74f20a3',
    );
    expect(() => openNote(`${text.replace('think', 'thunk')}\n${peterSig}`, [peter])).toThrow(
      'invalid signature',
    );
  });

  test.each([
    text,
    `${text}\n`,
    `${text}\n${peterSig.slice(0, -1)}`,
    `\u0001${text}\n${peterSig}`,
    `${text}\n— Bad Name x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`,
    `${text}\n${peterSig}Unexpected line.\n`,
    `${text.replaceAll('\n', '\r\n')}\n${peterSig}`,
    `${text}\n${peterSig.replace('nAM=', 'nAN=')}`,
  ])('is refused if it is malformed (%j)', (note) => {
    expect(() => openNote(note, [peter])).toThrow('malformed note');
  });

  test('has at most 100 signatures', () => {
    expect(openNote(`${text}\n${peterSig.repeat(100)}`, [peter]).verified).toHaveLength(100);
    expect(() => openNote(`${text}\n${peterSig.repeat(101)}`, [peter])).toThrow('at most 100 signatures');
  });

  test('with the example of C2SP signed-note has its text and its key name', () => {
    const poem =
      'Ognuno sta solo sul cuor della terra\ntrafitto da un raggio di sole:\n\ned è subito sera.\n';
    const signature =
      '— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=\n';
    const note = readNote(`${poem}\n${signature}`);
    expect(note.text).toBe(poem);
    expect(note.signatures[0]).toMatchObject({ name: 'quasimodo.example/salvatore' });
    expect(note.signatures[0]?.keyId.toString('hex')).toBe('367ba04b');
  });
});

describe('a public key for notes', () => {
  test('verifies the example of C2SP signed-note', () => {
    const key = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
    const note =
      'This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n';
    const verifier = readVerifierKey(key);
    expect(verifierKey(verifier)).toBe(key);
    expect(openNote(note, [verifier]).text).toBe('This is an example message.\n');
    expect(() => openNote(note.replace('example message', 'Example message'), [verifier])).toThrow(
      'invalid signature for key example.com/foo+530d903a',
    );
  });

  test('has the published text', () => {
    expect(verifierKey(peter)).toBe(peterKey);
    expect(
      verifierKey(noteVerifier('PeterNeumann', createPublicKey(signingKeyFrom(peterSeed).privateKey))),
    ).toBe(peterKey);
  });

  test('is refused after any change of one character, and if any part is missing', () => {
    const bad = Array.from(peterKey, (character, index) =>
      [
        peterKey.slice(0, index),
        String.fromCharCode(character.charCodeAt(0) + 1),
        peterKey.slice(index + 1),
      ].join(''),
    );
    for (let start = 0; start < peterKey.length; start += 1)
      for (const end of [start + 1, peterKey.length - 1, ...(start > 0 ? [peterKey.length] : [])])
        bad.push(peterKey.slice(start, end));
    for (const key of bad) expect(() => readVerifierKey(key), key).toThrow('public key');
  });

  test('of another length or another algorithm is refused', () => {
    for (const key of [
      'PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==',
      'PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    ])
      expect(() => readVerifierKey(key)).toThrow('is not a public key for notes');
  });

  test.each(['', 'a b', 'a+b', 'a\tb', 'a\nb', 'a\u00a0b', 'a\u0085b', 'a\u0000b'])(
    'cannot have the name %j',
    (name) => {
      expect(isKeyName(name)).toBe(false);
    },
  );
});

describe('a checkpoint', () => {
  /** The example of C2SP tlog-checkpoint. */
  const example = 'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';

  test('has the published text', () => {
    const checkpoint = readCheckpoint(example);
    expect(checkpoint).toMatchObject({ origin: 'example.com/behind-the-sofa', size: 20_852_163 });
    expect(checkpointText(checkpoint)).toBe(example);
  });

  test('keeps extension lines', () => {
    const extended = `${example}one line\nanother line\n`;
    expect(checkpointText(readCheckpoint(extended))).toBe(extended);
  });

  test.each([
    '',
    'example.com\n',
    example.slice(0, -1),
    example.replace('20852163', '020852163'),
    example.replace('20852163', '-1'),
    example.replace('20852163', '20852163 '),
    example.replace('20852163', '99999999999999999'),
    example.replace('2I=', '2I'),
    example.replace('2I=\n', '2I=\n\n'),
    `\n${example}`,
  ])('is refused if it is malformed (%j)', (malformed) => {
    expect(() => readCheckpoint(malformed)).toThrow('malformed checkpoint');
  });

  test('carries the cosignature of a witness, which says when the witness saw it', () => {
    const { privateKey } = signingKeyFrom(randomBytes(32));
    const log = noteSigner('example.com/behind-the-sofa', signingKeyFrom(randomBytes(32)).privateKey);
    const witness = cosigner('witness.example/w1', privateKey, () => 1_679_315_147_000);
    const known = noteVerifier('witness.example/w1', createPublicKey(privateKey), signatureTypes.cosignature);
    const note = signNote(example, [log]) + signatureLine(witness, example);
    const [cosignature] = openNote(note, [known]).verified;
    expect(cosignature && cosignedAt(cosignature)).toBe(1_679_315_147);
    const later = note.replace(cosignature?.line ?? '', (line) => {
      const bytes = Buffer.from(line.split(' ')[2] ?? '', 'base64');
      bytes.writeBigUInt64BE(1_679_315_148n, 4);
      return `— witness.example/w1 ${bytes.toString('base64')}`;
    });
    expect(() => openNote(later, [known])).toThrow('invalid signature');
  });

  /** The example of C2SP tlog-cosignature. Its key is not published. */
  test('with the example of C2SP tlog-cosignature has the time of the example', () => {
    const note = `${example}\n— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n`;
    const [cosignature] = readNote(note).signatures;
    expect(cosignature && cosignedAt(cosignature)).toBe(1_679_315_147);
  });
});

describe('the keys of the log', () => {
  const newSecret = () => randomBytes(32).toString('base64url');
  const origin = logOrigin('example.com', '0123abcd');
  const checkpoint = checkpointText({ origin, size: 0, root: Buffer.alloc(32) });

  test('all sign during a rotation, so a reader with the old key or the new key can verify', () => {
    const [secret, earlier] = [newSecret(), newSecret()];
    const note = signNote(checkpoint, createLogKeys([secret, earlier]).signers(origin));
    for (const secrets of [[secret], [earlier]])
      expect(openNote(note, createLogKeys(secrets).verifiers(origin)).verified).toHaveLength(1);
    expect(() => openNote(note, createLogKeys([newSecret()]).verifiers(origin))).toThrow('no known key');
  });

  test('come from the signing keys and not from the secrets if there are signing keys', () => {
    const [secret, seed] = [newSecret(), randomBytes(32)];
    const note = signNote(checkpoint, createLogKeys([secret], [seed]).signers(origin));
    expect(openNote(note, createLogKeys([], [seed]).verifiers(origin)).verified).toHaveLength(1);
    expect(() => openNote(note, createLogKeys([secret]).verifiers(origin))).toThrow('no known key');
  });

  test('of one secret sign once, also if the secret is given twice', () => {
    const secret = newSecret();
    expect(createLogKeys([secret, secret]).signers(origin)).toHaveLength(1);
  });

  test('of other processes verify, but do not sign', () => {
    const seed = randomBytes(32);
    const [publicKey] = createLogKeys([], [seed]).verifiers(origin).map(verifierKey);
    const keys = createLogKeys([newSecret()], [], [`${publicKey}`]);
    expect(keys.signers(origin)).toEqual([]);
    expect(keys.verifiers(origin).map(verifierKey)).toEqual([publicKey]);
    expect(keys.verifiers(`${origin}x`)).toEqual([]);
    expect(() => signNote(checkpoint, keys.signers(origin))).toThrow('a note needs a signature');
    expect(createLogKeys([newSecret()], [seed], [`${publicKey}`]).verifiers(origin)).toHaveLength(1);
  });
});
