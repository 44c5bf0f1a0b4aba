import { createPublicKey } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkpointText, readCheckpoint } from '../../src/audit/log/checkpoint.ts';
import {
  isKeyName,
  NoteError,
  noteSigner,
  noteVerifier,
  openNote,
  readVerifierKey,
  signNote,
  verifierKey,
} from '../../src/audit/log/note.ts';
import {
  proveConsistency,
  proveInclusion,
  verifyConsistency,
  verifyInclusion,
} from '../../src/audit/log/proof.ts';
import { hashChildren, hashLeaf, rootOf } from '../../src/audit/log/tree.ts';
import { signingKeyFrom } from '../../src/core/signing-keys.ts';
import { anyText, forAll, wellFormedText } from './support/for-all.ts';

const seed = fc.uint8Array({ minLength: 32, maxLength: 32 });
const keyName = wellFormedText(20).filter(isKeyName);
const noteText = wellFormedText(60)
  .filter((text) => [...text].every((character) => character >= ' '))
  .map((text) => `${text}\n`);
const keysOf = (name: string, bytes: Uint8Array) => {
  const { privateKey } = signingKeyFrom(Buffer.from(bytes));
  return { signer: noteSigner(name, privateKey), verifier: noteVerifier(name, createPublicKey(privateKey)) };
};

test('a signed note opens as its text, with the public key in text form', () => {
  forAll(
    [noteText, keyName, seed],
    (text, name, bytes) => {
      const { signer, verifier } = keysOf(name, bytes);
      expect(openNote(signNote(text, [signer]), [readVerifierKey(verifierKey(verifier))]).text).toBe(text);
    },
    50,
  );
});

test('a note never opens as another text', () => {
  const edit = fc.record({ at: fc.nat(), removed: fc.nat(3), inserted: anyText(3) });
  forAll(
    [noteText, keyName, seed, edit],
    (text, name, bytes, { at, removed, inserted }) => {
      const { signer, verifier } = keysOf(name, bytes);
      const note = signNote(text, [signer]);
      const from = at % note.length;
      try {
        const opened = openNote(note.slice(0, from) + inserted + note.slice(from + removed), [verifier]);
        expect(opened.text).toBe(text);
      } catch (error) {
        expect(error).toBeInstanceOf(NoteError);
      }
    },
    100,
  );
});

test('a checkpoint is read as it was written', () => {
  const extensions = fc.array(
    wellFormedText(10).filter((line) => line !== '' && !line.includes('\n')),
    { minLength: 1, maxLength: 3 },
  );
  const origin = keyName.filter((name) => !name.includes('\n'));
  forAll([origin, fc.maxSafeNat(), seed, extensions], (name, size, root, lines) => {
    const checkpoint = { origin: name, size, root: Buffer.from(root), extensions: lines };
    expect(readCheckpoint(checkpointText(checkpoint))).toEqual(checkpoint);
  });
});

const leaf = (index: number) => hashLeaf(Buffer.from(`${index}`));
/** The hashes of a log whose entries are their numbers. */
const hashes = new Map<string, Buffer>();
function readHash(height: number, index: number): Buffer {
  const name = `${height}/${index}`;
  const known = hashes.get(name);
  if (known) return known;
  const hash =
    height === 0
      ? leaf(index)
      : hashChildren(readHash(height - 1, 2 * index), readHash(height - 1, 2 * index + 1));
  hashes.set(name, hash);
  return hash;
}

test('a proof of inclusion is valid only for its entry and root, and a proof of consistency only for its earlier root', () => {
  forAll(
    [fc.integer({ min: 1, max: 300 }), fc.nat(), fc.nat(), fc.nat(300)],
    (size, one, other, otherSize) => {
      const [index, another] = [one % size, other % size];
      const tree = { size, root: rootOf(size, readHash) };
      const proof = proveInclusion(index, size, readHash);
      expect(verifyInclusion({ index, hash: leaf(index) }, tree, proof)).toBe(true);
      expect(verifyInclusion({ index, hash: leaf(another) }, tree, proof)).toBe(index === another);
      expect(verifyInclusion({ index: another, hash: leaf(index) }, tree, proof)).toBe(index === another);
      expect(verifyInclusion({ index, hash: leaf(index) }, { size, root: leaf(9999) }, proof)).toBe(false);
      const smaller = Math.min(size, otherSize);
      const old = { size: smaller, root: rootOf(smaller, readHash) };
      expect(verifyConsistency(old, tree, proveConsistency(smaller, size, readHash))).toBe(true);
      if (smaller > 0)
        expect(
          verifyConsistency({ ...old, root: leaf(9999) }, tree, proveConsistency(smaller, size, readHash)),
        ).toBe(false);
    },
    60,
  );
});
