const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** Whether a text has the form of an id. The response to a malformed id is the same as to an unknown id. */
export const isUuid = (text: string): boolean => uuid.test(text);
