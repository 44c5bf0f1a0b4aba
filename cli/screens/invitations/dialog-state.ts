import type { CreatedInvitation } from 'latchkey';
import type { Question } from '../../components/confirm.tsx';
import type { InviteAnswers } from './invite-form.tsx';

export type DialogState =
  | { what: 'invite'; initial: InviteAnswers | null }
  | { what: 'confirm'; question: Question }
  | { what: 'link'; created: CreatedInvitation; wantsQr: boolean }
  | { what: 'search' };
