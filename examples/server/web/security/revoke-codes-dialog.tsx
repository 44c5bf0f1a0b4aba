import type { ComponentProps } from 'preact';
import type { Explanation } from '../explain.ts';
import { t } from '../messages/t.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

const words = (): Record<string, Explanation> => ({
  ceremony_canceled: {
    tone: 'info',
    title: t('security.codesStillWork'),
    body: t('security.notConfirmed'),
  },
});

type RevokeCodesDialogProps = Pick<ComponentProps<typeof ConfirmDialog>, 'action' | 'onClose'>;

export const RevokeCodesDialog = (props: RevokeCodesDialogProps) => (
  <ConfirmDialog
    title={t('security.revokeAsk')}
    confirm={t('security.revokeAction')}
    danger
    words={words()}
    {...props}
  >
    <p>{t('security.revokeBody')}</p>
  </ConfirmDialog>
);
