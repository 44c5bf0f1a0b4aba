import type { Impersonator } from 'latchkey/client';
import { t } from '../messages/text.ts';

/** The name of the user or the operator who uses an impersonated session. */
export const impersonatorName = ({ type, name }: Impersonator): string =>
  type === 'operator' ? t('common.operatorName', { name }) : name;
