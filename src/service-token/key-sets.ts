import { createLocalJWKSet, createRemoteJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';

/** The content of a `jwks.json`. */
export interface JsonWebKeySet {
  keys: readonly { readonly kty: string; readonly [member: string]: unknown }[];
}

const remoteOptions = {
  // Equal to the lifetime of a token. After the issuer removes a key, this service can accept the key for this long.
  cacheMaxAge: 5 * 60_000,
  // The minimum time between two requests for keys. During this time, tokens that a new key signed can be rejected.
  cooldownDuration: 10_000,
  timeoutDuration: 5_000,
};

// One key set for each URL, so that all calls share a cache. The map stays small, because URLs come from configuration.
const remoteKeySets = new Map<string, JWTVerifyGetKey>();
// One key set for each object that a caller passes. A `WeakMap` does not keep these objects in memory.
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
