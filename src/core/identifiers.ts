const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** Whether a text has the form of an id. Malformed ids get the same answer as unknown ids. */
export const isUuid = (text: string): boolean => uuid.test(text);
