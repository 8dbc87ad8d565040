/** Of rows that `addSampleRows` adds. */
export const sampleTokens = {
  targetChoice: 'a-choice-of-pages',
  invitation: 'an-invitation-of-ada',
  registration: 'the-registration-of-gwen',
  refresh: 'a-refresh-token-of-vera',
}

export const rootRecoveryCode = 'hjkmnpqrstuvwxyz'
