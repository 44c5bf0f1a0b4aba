import { readFileSync } from 'node:fs';
import { definite, indefinite, malformed } from '../tests/vectors/support/cbor-items.ts';
import { table } from './markdown.ts';

const dataIn = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const inAuditLog = (name: string) => dataIn(`tests/rules/audit-log/vectors/${name}.json`);

interface Source {
  source: string;
  url: string;
  vectors: number;
  test: string;
}

function sources(): Source[] {
  const digests: Record<string, Record<string, Record<string, string>>> = dataIn(
    'tests/vectors/webauthn-digests.json',
  ).sha256;
  const values = Object.values(digests).flatMap((example) => Object.values(example).flatMap(Object.keys));
  const { ecdsa, ed25519, smallOrder } = dataIn('tests/vectors/cose-keys.json');
  const malformedItems = Object.values(malformed).flatMap((items) => items.split(' '));
  const jose: { name: string }[] = dataIn('tests/vectors/jose-examples.json').examples;
  const merkle = inAuditLog('merkle-proofs');
  return [
    {
      source: `WebAuthn Level 3, section 16: values of ${Object.keys(digests).length} credentials`,
      url: 'https://www.w3.org/TR/webauthn-3/#sctn-test-vectors',
      vectors: values.length,
      test: 'vectors/webauthn-*.test.ts',
    },
    {
      source: 'RFC 8949 (CBOR), appendices A and F',
      url: 'https://www.rfc-editor.org/rfc/rfc8949.html',
      vectors: definite.length + indefinite.length + malformedItems.length,
      test: 'vectors/cbor.test.ts',
    },
    {
      source: 'RFC 9052 (COSE) and RFC 8032 (Ed25519): public keys and points of small order',
      url: 'https://www.rfc-editor.org/rfc/rfc9052.html',
      vectors: ecdsa.length + ed25519.length + smallOrder.length,
      test: 'vectors/cose.test.ts',
    },
    {
      source: 'COSE working group: signatures with one signer',
      url: 'https://github.com/cose-wg/Examples',
      vectors: dataIn('tests/vectors/cose-sign1-examples.json').examples.length,
      test: 'vectors/cose-sign1.test.ts',
    },
    {
      source: 'RFC 7515, RFC 7519, RFC 7797 and RFC 8037 (JOSE)',
      url: 'https://www.rfc-editor.org/rfc/rfc7515.html',
      vectors: jose.filter(({ name }) => !name.startsWith('RFC 7520')).length,
      test: 'vectors/jose.test.ts',
    },
    {
      source: 'RFC 7520 (JOSE cookbook), section 4',
      url: 'https://www.rfc-editor.org/rfc/rfc7520.html',
      vectors: jose.filter(({ name }) => name.startsWith('RFC 7520')).length,
      test: 'vectors/jose.test.ts',
    },
    {
      source: 'RFC 8785 (canonical JSON): values, and the numbers of appendix B',
      url: 'https://www.rfc-editor.org/rfc/rfc8785.html',
      vectors: inAuditLog('canonical-json').cases.length + inAuditLog('canonical-numbers').numbers.length,
      test: 'rules/audit-log/entry.test.ts',
    },
    {
      source: 'transparency-dev/merkle (RFC 6962): proofs',
      url: 'https://github.com/transparency-dev/merkle',
      vectors: vectorsIn(merkle),
      test: 'rules/audit-log/tree.test.ts',
    },
  ];
}

/** The number of elements of the lists in a file of vectors. */
const vectorsIn = (file: Record<string, unknown>): number =>
  Object.values(file).reduce<number>((sum, value) => sum + (Array.isArray(value) ? value.length : 0), 0);

/** The published test vectors by source. */
export const vectorTable = (): string =>
  table(
    ['Source', 'Vectors', 'Test'],
    sources().map(({ source, url, vectors, test }) => [
      `[${source}](${url})`,
      `${vectors}`,
      `\`tests/${test}\``,
    ]),
  );
