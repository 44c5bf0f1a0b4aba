import type { FaultList, Given } from './config-fault.ts';
import { readList } from './config-values.ts';
import { keptSecret } from './kept-secret.ts';
import { weaknessOf } from './secret-strength.ts';

const secretExpected =
  'at least 32 random bytes, for example from `openssl rand -base64 32`; to rotate: several secrets, separated by commas';

/** Reads the secrets, the first of which signs and encrypts. In development, a missing secret is created and stored. */
export function readSecrets(
  faults: FaultList,
  warnings: string[],
  { name, text }: Given,
  { production, directory }: { production: boolean; directory: string },
): readonly [string, ...string[]] {
  const [first, ...rest] = readList(text);
  if (first === undefined) {
    if (!production) return [keptSecret(directory)];
    faults.add(name, undefined, secretExpected);
    return [''];
  }
  for (const secret of [first, ...rest]) {
    const weakness = weaknessOf(secret);
    if (weakness === null) continue;
    if (production) faults.addSecret(name, secret, `${secretExpected} (this is ${weakness})`);
    else warnings.push(`${name} is ${weakness}; production rejects it`);
  }
  return [first, ...rest];
}
