import type { Server } from 'node:https';
import type { Logger } from 'pino';
import { type Certificate, complaintsOf, readCertificate } from './certificate.ts';

export interface FollowedCertificate {
  /** Looks at the files now, and says what came of it. */
  reload(): void;
  stop(): void;
}

/**
 * Has the server take a renewed certificate without a restart: on `reload`, and by itself within a minute. The files
 * are read whole each time, which is cheap, and right however they were renewed: in place, by rename, by a symbolic
 * link that now leads elsewhere. One that cannot be used changes nothing.
 */
export function followCertificate(
  server: Server,
  first: Certificate,
  { host, log, everyMs = 60_000 }: { host: string; log: Logger; everyMs?: number },
): FollowedCertificate {
  let current = first;
  let told = '';
  // What goes on being wrong is told once, not every minute.
  const tell = (level: 'warn' | 'error', message: string, anew: boolean) => {
    if (message !== '' && (anew || message !== told)) log[level](current.files, message);
    told = message;
  };
  const tellComplaints = (anew: boolean) => {
    const complaints = complaintsOf(current, host).join(', and ');
    tell('warn', complaints && `the certificate in TLS_CERTIFICATE will be refused: ${complaints}`, anew);
  };

  const look = (asked: boolean) => {
    let found: Certificate;
    try {
      found = readCertificate(current.files);
      server.setSecureContext(found.context);
    } catch (error) {
      const reason = error instanceof Error ? error.message : `${error}`;
      tell('error', `the certificate was not renewed, the one from before stays. ${reason}`, asked);
      return;
    }
    const isNew = !found.leaf.raw.equals(current.leaf.raw);
    current = found;
    if (isNew) log.info({ validTo: found.leaf.validTo }, 'took the renewed certificate');
    else if (asked) log.info({ validTo: found.leaf.validTo }, 'the certificate is the one from before');
    tellComplaints(asked || isNew);
  };

  tellComplaints(true);
  const timer = setInterval(look, everyMs, false).unref();
  return { reload: () => look(true), stop: () => clearInterval(timer) };
}
