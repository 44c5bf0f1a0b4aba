type SimpleWebAuthn = typeof import('@simplewebauthn/server');

let loading: Promise<SimpleWebAuthn> | undefined;

/**
 * SimpleWebAuthn, loaded once it is needed: its ASN.1 schemas take more of a start than all else together, and what
 * holds no ceremony, such as a command of the terminal, is not to wait for them.
 */
export const simpleWebAuthn = (): Promise<SimpleWebAuthn> => {
  loading ??= import('@simplewebauthn/server');
  return loading;
};
