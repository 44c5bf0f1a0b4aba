/**
 * Keeps the session token of a client that uses bearer tokens, for example in the keychain of a phone. Scripts of a page
 * can read everything that the page stores, so pages should use cookies.
 */
export interface TokenStore {
  /** Returns the token. Null or undefined: no user is signed in. */
  read(): string | null | undefined | Promise<string | null | undefined>;
  /** Replaces the token. Null: the session has ended. */
  write(token: string | null): void | Promise<void>;
}

/** Removes the token, unless another call has replaced it in the meantime. */
export async function forgetToken(store: TokenStore, token: string | null): Promise<void> {
  if (token !== null && (await store.read()) === token) await store.write(null);
}
