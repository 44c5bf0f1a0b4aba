import invitation from './de/invitation.json' with { type: 'json' };
import recovery from './de/recovery.json' with { type: 'json' };

/** The messages of the pages that users open with a link, and of account recovery, in German. */
export default {
  invitation,
  recovery,
};
