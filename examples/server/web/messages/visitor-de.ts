import common from './de/common.json' with { type: 'json' };
import entrance from './de/entrance.json' with { type: 'json' };
import errors from './de/errors.json' with { type: 'json' };
import layout from './de/layout.json' with { type: 'json' };
import problems from './de/problems.json' with { type: 'json' };

/** The messages that every page needs, in German. */
export default {
  common,
  entrance,
  errors,
  layout,
  problems,
};
