import 'latchkey/elements/de';
import common from './de/common.json' with { type: 'json' };
import entrance from './de/entrance.json' with { type: 'json' };
import errors from './de/errors.json' with { type: 'json' };
import invitation from './de/invitation.json' with { type: 'json' };
import layout from './de/layout.json' with { type: 'json' };
import recovery from './de/recovery.json' with { type: 'json' };

/** The messages that signed-out users need too, in German. */
export default {
  common,
  entrance,
  errors,
  invitation,
  layout,
  recovery,
};
