import invitation from './en/invitation.json' with { type: 'json' };
import recovery from './en/recovery.json' with { type: 'json' };

/** The messages of the pages that users open with a link, and of account recovery, in English. */
export default {
  invitation,
  recovery,
};
