type SimpleWebAuthn = typeof import('@simplewebauthn/server');

let loading: Promise<SimpleWebAuthn> | undefined;

/**
 * Loads SimpleWebAuthn on first use. Its ASN.1 schemas take longer to load than all other modules together. Programs
 * without ceremonies, such as the `latchkey` command, do not need the library.
 */
export const simpleWebAuthn = (): Promise<SimpleWebAuthn> => {
  loading ??= import('@simplewebauthn/server');
  return loading;
};
