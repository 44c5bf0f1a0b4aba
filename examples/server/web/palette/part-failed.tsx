import { t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** Shown if the script of the command palette could not be loaded. */
export const PartFailed = ({ onClose }: { onClose: () => void }) => (
  <Dialog
    title={t('layout.partFailed')}
    onClose={onClose}
    actions={
      <>
        <Button onClick={onClose}>{t('common.close')}</Button>
        <Button variant="primary" onClick={() => location.reload()}>
          {t('layout.reloadPage')}
        </Button>
      </>
    }
  >
    <p>{t('layout.partFailedBody')}</p>
  </Dialog>
);
