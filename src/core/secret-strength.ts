const placeholder =
  /change.?me|secret.?key|your.?secret|super.?secret|my.?secret|jwt.?secret|example|placeholder|password|insert.?here|replace.?(me|this)|x{8}/i;

// In bits per character. A random word of six or seven characters has about 13 bits. A word in a sentence has fewer.
const bitsOfWords = 2;

const alphabets: readonly [pattern: RegExp, bitsPerCharacter: number][] = [
  [/^(?:[A-Z]?[a-z]+|[A-Z]+)(?:[\s_.,:;!?'()-]+(?:[A-Z]?[a-z]+|[A-Z]+|\d{1,4}))+$/, bitsOfWords],
  [/^(?:[A-Z][a-z]+)+\d{0,4}$/, bitsOfWords],
  [/^\d+$/, Math.log2(10)],
  [/^[\da-f]+$/i, 4],
  [/^(?:[a-z]+|[A-Z]+)$/, Math.log2(26)],
  [/^[\w+/=-]+$/, 6],
  [/^[\x20-\x7e]+$/, 6.5],
];

/**
 * Returns why a secret is too weak, or null. A secret needs at least 256 bits, computed from its alphabet and its
 * length.
 *
 * A second check does not count the characters in runs and repetitions. The other characters must have at least 192
 * bits. This limit is lower than 256 bits, because even a random secret contains a few runs by chance. The second check
 * covers both the text and the bytes that the text encodes.
 */
export function weaknessOf(secret: string): string | null {
  if (placeholder.test(secret)) return 'a well-known placeholder';
  const bits = alphabets.find(([pattern]) => pattern.test(secret))?.[1] ?? 7;
  const characters = secret.replace(/=+$/, '').length;
  if (Math.ceil(characters * bits) < 256) return `too weak: about ${Math.floor(characters * bits)} bits`;
  const share = Math.min(
    ...[secret, decoded(secret)].map((text) => withoutRepeats(text).length / text.length),
  );
  const remaining = characters * bits * share;
  if (remaining < 192)
    return `too weak: about ${Math.floor(remaining)} bits, because characters are repeated or consecutive`;
  return null;
}

/** Decodes hex or base64. The result has one character for each byte. */
const decoded = (secret: string): string =>
  Buffer.from(secret, /^[\da-f]+$/i.test(secret) ? 'hex' : 'base64').toString('latin1') || secret;

/**
 * Removes characters that continue a run (`aaaa`, `abcd`, `4321`). If a sequence of eight characters occurs again, also
 * removes the last character of the repeated sequence.
 */
function withoutRepeats(text: string): string {
  const seen = new Set<string>();
  let kept = '';
  let run = 0;
  let lastStep = Number.NaN;
  for (let at = 0; at < text.length; at += 1) {
    const step = text.charCodeAt(at) - text.charCodeAt(at - 1);
    run = Math.abs(step) <= 1 && step === lastStep ? run + 1 : 0;
    lastStep = step;
    const passage = text.slice(Math.max(0, at - 7), at + 1);
    const repeated = passage.length === 8 && seen.has(passage);
    seen.add(passage);
    if (run < 2 && !repeated) kept += text[at];
  }
  return kept;
}
