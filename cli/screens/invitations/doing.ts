import type { CreatedInvitation } from 'latchkey';
import type { Question } from '../../components/confirm.tsx';
import type { InviteAnswers } from './invite-form.tsx';

/** What is being done on the screen of invitations, besides looking. */
export type Doing =
  | { what: 'inviting'; initial: InviteAnswers | null }
  | { what: 'asking'; question: Question }
  | { what: 'link'; made: CreatedInvitation; wantsQr: boolean }
  | { what: 'searching' };
