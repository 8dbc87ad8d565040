/** Of the action that says why a sender is paused. */
export const pauseCause = (id: string): string => `gateway.sender:${id}`
