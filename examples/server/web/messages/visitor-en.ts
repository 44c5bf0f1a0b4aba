import common from './en/common.json' with { type: 'json' };
import entrance from './en/entrance.json' with { type: 'json' };
import errors from './en/errors.json' with { type: 'json' };
import layout from './en/layout.json' with { type: 'json' };

/** The messages that every page needs, in English. */
export default {
  common,
  entrance,
  errors,
  layout,
};
