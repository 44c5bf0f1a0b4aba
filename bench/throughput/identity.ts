/** The relying party of all contenders: https, as in production behind a proxy that terminates TLS. */
export const rpId = 'bench.example';
export const origin = `https://${rpId}`;

/** All contenders have the same usernames. All usernames have the same length, so that all responses do too. */
export const usernameOf = (index: number): string => `person-${`${index}`.padStart(5, '0')}`;
