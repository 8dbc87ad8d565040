import { z } from 'zod'
import { forEachSettled } from '#lib/each.ts'
import { job } from '#lib/job.ts'
import { forgetSuperAdminLinks } from './admin/super-admins.ts'
import { remindOfEnds } from './api-keys/reminders.ts'
import { recheckDomains } from './domains/recheck.ts'
import { forgetHouseholdInvitations } from './households/invitations.ts'
import { forgetLinks } from './magic-links/links.ts'
import { rotateSigningKeys } from './keys.ts'
import { forgetEmailChanges } from './email-change/email-change.ts'
import { forgetInvitations } from './members/invitations.ts'
import { forgetResets } from './password-reset/password-reset.ts'
import { forgetPendingRecovery } from './recovery-email/recovery-email.ts'
import { forgetExpiredTokens } from './refresh.ts'
import { forgetPasskeyChallenges } from './passkeys/challenges.ts'
import { forgetRegistrations } from './registration/pending.ts'
import { forgetUpstreamSignIns } from './upstream/flow.ts'
import { forgetChallenges } from './second-factor/challenge.ts'
import { forgetProofCodes } from './second-factor/mailed-code.ts'
import { forgetAssertions } from './service-keys/assertion.ts'
import { forgetSpentTokens } from './service-keys/spent-tokens.ts'
import { forgetExpiredSessions } from './sessions.ts'
import { forgetUnusedDevices } from './sign-in/known-devices.ts'
import { forgetFailures } from './sign-in/slowdown.ts'
import { forgetCodes } from './sso/codes.ts'

/** Changes the key that signs tokens, when it is time. */
export const rotateKeys = job({
  name: 'identity.rotate-keys',
  input: z.object({}),
  run: ({ database, secrets, now }) => rotateSigningKeys({ db: database.db, secrets, now }),
})

/** Tells people of keys of theirs that end soon. */
export const remindOfKeys = job({
  name: 'identity.remind-of-keys',
  input: z.object({}),
  run: remindOfEnds,
})

/** Checks the DNS records of verified e-mail domains again. */
export const recheckOrganizationDomains = job({
  name: 'identity.recheck-domains',
  input: z.object({}),
  run: recheckDomains,
})

/** What is deleted some time after its end. */
const expiring = [
  forgetExpiredSessions,
  forgetExpiredTokens,
  forgetInvitations,
  forgetSuperAdminLinks,
  forgetRegistrations,
  forgetHouseholdInvitations,
  forgetUpstreamSignIns,
  forgetChallenges,
  forgetProofCodes,
  forgetPasskeyChallenges,
  forgetResets,
  forgetPendingRecovery,
  forgetEmailChanges,
  forgetFailures,
  forgetUnusedDevices,
  forgetLinks,
  forgetCodes,
  forgetAssertions,
  forgetSpentTokens,
]

export const forgetExpired = job({
  name: 'identity.forget-expired',
  input: z.object({}),
  run: ({ database, now }) => forEachSettled(expiring, (forget) => forget(database.db, now())),
})
