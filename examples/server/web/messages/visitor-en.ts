import common from './en/common.json' with { type: 'json' };
import entrance from './en/entrance.json' with { type: 'json' };
import errors from './en/errors.json' with { type: 'json' };
import invitation from './en/invitation.json' with { type: 'json' };
import layout from './en/layout.json' with { type: 'json' };
import recovery from './en/recovery.json' with { type: 'json' };

/** The messages that signed-out users need too, in English. */
export default {
  common,
  entrance,
  errors,
  invitation,
  layout,
  recovery,
};
