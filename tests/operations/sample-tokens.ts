/** Of rows that `addSampleRows` adds. */
export const sampleTokens = {
  targetChoice: 'a-choice-of-pages',
  invitation: 'an-invitation-of-ada',
  registration: 'the-registration-of-gwen',
  refresh: 'a-refresh-token-of-vera',
  calendarFeed: 'a-calendar-feed-of-vera'.padEnd(43, '-'),
}

export const rootRecoveryCode = 'hjkmnpqrstuvwxyz'
