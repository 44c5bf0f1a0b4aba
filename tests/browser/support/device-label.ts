/** A pattern for the name that the service gives to a passkey on this computer. */
export const deviceLabel = '(Linux computer|Mac|Windows computer)';
