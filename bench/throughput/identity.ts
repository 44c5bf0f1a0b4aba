/** Whom all contenders are for: https, as in production, behind a proxy that ends TLS. */
export const rpId = 'bench.example';
export const origin = `https://${rpId}`;

/** The same people everywhere, and names of one length, so that answers are as long as one another. */
export const usernameOf = (index: number): string => `person-${`${index}`.padStart(5, '0')}`;
