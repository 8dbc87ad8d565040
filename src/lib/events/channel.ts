/** PostgreSQL's notification channel of all events. */
export const eventChannel = 'atrium'
