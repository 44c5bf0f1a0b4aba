import { useId } from 'preact/hooks';
import { t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/dialog.tsx';
import { useAction } from '../use-action.ts';
import { type FileSummary, type FileText, filesApi } from './api.ts';
import { FileForm } from './file-form.tsx';
import type { Place } from './use-files.ts';

interface NewFileDialogProps {
  place: Place;
  onClose: () => void;
  onSaved: (file: FileSummary) => void;
}

export function NewFileDialog({ place, onClose, onSaved }: NewFileDialogProps) {
  const form = useId();
  const create = useAction(async (text: FileText) => {
    const { file } = await filesApi.create(text, place.organizationId);
    onSaved(file);
  });
  return (
    <Sheet
      title={place.organizationId ? t('files.newTitleIn', { name: place.name }) : t('files.newTitle')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" form={form} variant="primary" busy={create.busy}>
            {t('files.create')}
          </Button>
        </>
      }
    >
      <FileForm
        id={form}
        initial={{ name: '', content: '' }}
        error={create.error}
        onSave={(text) => void create.run(text)}
      />
    </Sheet>
  );
}
