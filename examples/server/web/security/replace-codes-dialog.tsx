import type { ComponentProps } from 'preact';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

type ReplaceCodesDialogProps = Pick<ComponentProps<typeof ConfirmDialog>, 'action' | 'words' | 'onClose'>;

export const ReplaceCodesDialog = (props: ReplaceCodesDialogProps) => (
  <ConfirmDialog title="Create new recovery codes?" confirm="Create new recovery codes" {...props}>
    <p>The new codes replace all earlier codes, which stop working immediately.</p>
  </ConfirmDialog>
);
