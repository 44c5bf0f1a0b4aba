/** The tests that run the built command, the built server or the built package, or serve the built client. */
export const needsBuild =
  /^tests\/((cli\/commands|operation|package|browser)\/|faults\/signals|features\/example-koa-app|http\/scripts)/;
