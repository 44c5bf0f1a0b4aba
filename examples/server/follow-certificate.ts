import type { Server } from 'node:https';
import type { Logger } from 'pino';
import { type Certificate, complaintsOf, readCertificate } from './certificate.ts';

export interface FollowedCertificate {
  /** Reads the files immediately, and logs the result. */
  reload(): void;
  stop(): void;
}

/**
 * Makes the server use a renewed certificate without a restart: on `reload`, or automatically within a minute. Each
 * check reads both files, because a renewal can overwrite the files, replace them, or change a symbolic link to them.
 * If the new certificate is unusable, the server keeps the previous one.
 */
export function followCertificate(
  server: Server,
  first: Certificate,
  { host, log, everyMs = 60_000 }: { host: string; log: Logger; everyMs?: number },
): FollowedCertificate {
  let current = first;
  let lastMessage = '';
  // Logs a continuing problem once, not every minute.
  const report = (level: 'warn' | 'error', message: string, isForced: boolean) => {
    if (message !== '' && (isForced || message !== lastMessage)) log[level](current.files, message);
    lastMessage = message;
  };
  const reportComplaints = (isForced: boolean) => {
    const complaints = complaintsOf(current, host).join(', and ');
    const message = complaints && `browsers will reject the certificate in TLS_CERTIFICATE: ${complaints}`;
    report('warn', message, isForced);
  };

  const check = (isRequested: boolean) => {
    let found: Certificate;
    try {
      found = readCertificate(current.files);
      server.setSecureContext(found.context);
    } catch (error) {
      const reason = error instanceof Error ? error.message : `${error}`;
      report(
        'error',
        `cannot reload the certificate, so the previous one stays in use. ${reason}`,
        isRequested,
      );
      return;
    }
    const isNew = !found.leaf.raw.equals(current.leaf.raw);
    current = found;
    if (isNew) log.info({ validTo: found.leaf.validTo }, 'loaded the renewed certificate');
    else if (isRequested) log.info({ validTo: found.leaf.validTo }, 'the certificate is unchanged');
    reportComplaints(isRequested || isNew);
  };

  reportComplaints(true);
  const timer = setInterval(check, everyMs, false).unref();
  return { reload: () => check(true), stop: () => clearInterval(timer) };
}
