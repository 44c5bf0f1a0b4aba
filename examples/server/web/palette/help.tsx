import { T, t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { shortcut } from './shortcut.ts';

/** Answers to frequent questions, and the keyboard shortcut. */
export const Help = ({ onClose }: { onClose: () => void }) => (
  <Dialog
    title={t('layout.help')}
    onClose={onClose}
    actions={<Button onClick={onClose}>{t('common.close')}</Button>}
  >
    <dl class="help">
      <div>
        <dt>{t('palette.helpSearch')}</dt>
        <dd>
          <T id="palette.helpSearchBody" values={{ key: <kbd>{shortcut()}</kbd> }} />
        </dd>
      </div>
      <div>
        <dt>{t('palette.helpLost')}</dt>
        <dd>
          <T
            id="palette.helpLostBody"
            values={{ link: (children) => <a href="/settings/security">{children}</a> }}
          />
        </dd>
      </div>
      <div>
        <dt>{t('palette.helpUnknown')}</dt>
        <dd>
          <T
            id="palette.helpUnknownBody"
            values={{ link: (children) => <a href="/settings/security">{children}</a> }}
          />
        </dd>
      </div>
      <div>
        <dt>{t('palette.helpLockedOut')}</dt>
        <dd>{t('palette.helpLockedOutBody')}</dd>
      </div>
    </dl>
  </Dialog>
);
