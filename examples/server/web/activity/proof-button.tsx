import { FileCheck } from 'lucide-static';
import { auth } from '../auth.ts';
import { t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { toast } from '../ui/toast.tsx';
import { useAction } from '../use-action.ts';

/** Downloads a file that proves to others that the audit log contains the event. */
export function ProofButton({ eventId }: { eventId: string }) {
  const { run, busy, error } = useAction(async () => {
    const proof = await auth.audit.proof(eventId);
    const url = URL.createObjectURL(new Blob([proof], { type: 'text/plain;charset=utf-8' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = `${eventId}.tlog-proof`;
    link.click();
    // The browser reads the file after the click.
    setTimeout(() => URL.revokeObjectURL(url), 1_000);
    toast(t('activity.proofDownloaded'));
  });
  return (
    <>
      <Button variant="quiet" size="small" icon={FileCheck} busy={busy} onClick={() => void run()}>
        {t('activity.downloadProof')}
      </Button>
      <ErrorNotice error={error} />
    </>
  );
}
