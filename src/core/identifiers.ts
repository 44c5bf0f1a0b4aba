const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** Whether a text can be one of our ids. One that cannot answers like one that does not exist. */
export const isUuid = (text: string): boolean => uuid.test(text);
