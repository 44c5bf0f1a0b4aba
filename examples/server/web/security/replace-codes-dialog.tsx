import type { ComponentProps } from 'preact';
import { t } from '../messages/t.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

type ReplaceCodesDialogProps = Pick<ComponentProps<typeof ConfirmDialog>, 'action' | 'words' | 'onClose'>;

export const ReplaceCodesDialog = (props: ReplaceCodesDialogProps) => (
  <ConfirmDialog title={t('security.replaceAsk')} confirm={t('security.replaceAction')} {...props}>
    <p>{t('security.replaceBody')}</p>
  </ConfirmDialog>
);
