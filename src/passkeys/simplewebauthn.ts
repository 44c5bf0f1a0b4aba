type SimpleWebAuthn = typeof import('@simplewebauthn/server');

let loading: Promise<SimpleWebAuthn> | undefined;

/**
 * Loads SimpleWebAuthn on first use. Its ASN.1 schemas take longer to load than all other modules together, and programs
 * that run no ceremony, such as the terminal program, do not need them.
 */
export const simpleWebAuthn = (): Promise<SimpleWebAuthn> => {
  loading ??= import('@simplewebauthn/server');
  return loading;
};
