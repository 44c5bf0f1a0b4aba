import { useCallback, useId, useState } from 'preact/hooks';
import { LoadFailed } from '../components/load-failed.tsx';
import { T, t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Time } from '../ui/time.tsx';
import { useAction } from '../use-action.ts';
import { useResource } from '../use-resource.ts';
import { type FileSummary, type FileText, filesApi, type OpenFile } from './api.ts';
import { FileForm } from './file-form.tsx';

interface FileDialogProps {
  id: string;
  placeName: string;
  onClose: () => void;
  onSaved: (file: FileSummary) => void;
  onDeleted: (file: FileSummary) => void;
}

/** Shows a file. If the user can change the file, shows it in a form. */
export function FileDialog({ id, ...rest }: FileDialogProps) {
  const { onClose } = rest;
  const { resource, reload } = useResource(useCallback(() => filesApi.open(id), [id]));
  if (resource.status === 'ready') {
    const { file, mayManage } = resource.value;
    if (mayManage) return <EditDialog file={file} {...rest} />;
    return <ReadDialog file={file} onClose={onClose} />;
  }
  return (
    <Dialog title={t('files.file')} wide onClose={onClose} actions={<CloseButton onClose={onClose} />}>
      {resource.status === 'failed' ? (
        <LoadFailed error={resource.error} retry={reload} />
      ) : (
        <Skeleton rows={2} label={t('files.loadingFile')} />
      )}
    </Dialog>
  );
}

const CloseButton = ({ onClose }: { onClose: () => void }) => (
  <Button onClick={onClose}>{t('common.close')}</Button>
);

const ReadDialog = ({ file, onClose }: { file: OpenFile['file']; onClose: () => void }) => (
  <Dialog title={file.name} wide onClose={onClose} actions={<CloseButton onClose={onClose} />}>
    <p class="hint">
      <T
        id="files.readOnly"
        values={{ owner: <bdi>{file.ownerName}</bdi>, when: <Time at={file.updatedAt} relative /> }}
      />
    </p>
    <pre class="file-text" dir="auto">
      {file.content === '' ? t('files.emptyFile') : file.content}
    </pre>
  </Dialog>
);

interface EditDialogProps extends Omit<FileDialogProps, 'id'> {
  file: OpenFile['file'];
}

function EditDialog({ file, placeName, onClose, onSaved, onDeleted }: EditDialogProps) {
  const form = useId();
  const [deleting, setDeleting] = useState(false);
  const save = useAction(async (text: FileText) => {
    onSaved((await filesApi.update(file.id, text)).file);
  });
  const remove = useAction(async () => {
    await filesApi.remove(file.id);
    onDeleted(file);
  });
  if (deleting) {
    return (
      <ConfirmDialog
        title={t('files.deleteTitle', { name: file.name })}
        confirm={t('files.deleteFile')}
        asksForPasskey={false}
        danger
        action={remove}
        onClose={() => setDeleting(false)}
      >
        <p>
          {file.organizationId
            ? t('files.deleteShared', { organization: placeName })
            : t('files.deletePersonal')}
        </p>
      </ConfirmDialog>
    );
  }
  return (
    <Dialog
      title={file.name}
      wide
      onClose={onClose}
      actions={
        <>
          <Button variant="danger-quiet" onClick={() => setDeleting(true)}>
            {t('files.delete')}
          </Button>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" form={form} variant="primary" busy={save.busy}>
            {t('common.save')}
          </Button>
        </>
      }
    >
      <FileForm id={form} initial={file} error={save.error} onSave={(text) => void save.run(text)} />
    </Dialog>
  );
}
