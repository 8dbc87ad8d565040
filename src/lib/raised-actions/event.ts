/** An action was raised, changed or resolved: the outbox has something to hand over. */
export const raisedActionEvent = 'platform.raised-action'
