import { t } from '../messages/text.ts';

/** If this many codes or fewer are left, the pages suggest creating new codes. */
export const fewCodes = 2;

/** "1 code left", "9 codes left". */
export const codesLeft = (count: number): string => t('recovery.codesLeft', { count });
