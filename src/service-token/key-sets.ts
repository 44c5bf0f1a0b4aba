import { createLocalJWKSet, createRemoteJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';

/** The content of a `jwks.json`. */
export interface JsonWebKeySet {
  keys: readonly { readonly kty: string; readonly [member: string]: unknown }[];
}

const remoteOptions = {
  // A removed key stays trusted for this long: the lifetime of a token.
  cacheMaxAge: 5 * 60_000,
  // Unknown key ids cause at most one request in this time. Tokens of a new key can be rejected for this long.
  cooldownDuration: 10_000,
  timeoutDuration: 5_000,
};

// One key set for each URL, so that all calls share its cache. The map stays small: URLs come from configuration.
const remoteKeySets = new Map<string, JWTVerifyGetKey>();
// One for each object that a caller passes. Weak, so that the caller's object can be garbage-collected.
const localKeySets = new WeakMap<JsonWebKeySet, JWTVerifyGetKey>();

export function remoteKeySet(url: URL): JWTVerifyGetKey {
  const known = remoteKeySets.get(url.href);
  if (known) return known;
  const made = createRemoteJWKSet(url, remoteOptions);
  remoteKeySets.set(url.href, made);
  return made;
}

/** @throws JWKSInvalid */
export function localKeySet(jwks: JsonWebKeySet): JWTVerifyGetKey {
  const known = localKeySets.get(jwks);
  if (known) return known;
  const made = createLocalJWKSet(jwks as unknown as JSONWebKeySet);
  localKeySets.set(jwks, made);
  return made;
}
