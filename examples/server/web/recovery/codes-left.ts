/** If this many codes or fewer are left, the pages suggest creating new codes. */
export const fewCodes = 2;
