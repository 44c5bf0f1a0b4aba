/** What a driver gives for a `timestamptz`: a Date, or text where the application's client was told so. */
export type Timestamp = Date | string;

/** A timestamp as RFC 3339, the form in which times leave the service. */
export const rfc3339 = (timestamp: Timestamp): string => new Date(timestamp).toISOString();

/** A timestamp in milliseconds since 1970. */
export const milliseconds = (timestamp: Timestamp): number => new Date(timestamp).getTime();
