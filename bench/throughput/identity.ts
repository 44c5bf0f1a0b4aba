/** The relying party of all contenders: https, as in production behind a proxy that terminates TLS. */
export const rpId = 'bench.example';
export const origin = `https://${rpId}`;

/** The same usernames everywhere, all of one length, so that all answers have the same length. */
export const usernameOf = (index: number): string => `person-${`${index}`.padStart(5, '0')}`;
