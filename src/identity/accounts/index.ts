import type { Module } from '#lib/module.ts'
import * as accounts from './accounts.operations.tsx'
import * as emailChangeContract from './email-change/contract.ts'
import * as emailChange from './email-change/email-change.operations.tsx'
import * as emailChangePages from './email-change/email-change.pages.tsx'
import * as internal from './internal.operations.tsx'
import * as onboardingContract from './onboarding/contract.ts'
import * as onboarding from './onboarding/onboarding.operations.tsx'
import * as onboardingPages from './onboarding/onboarding.pages.tsx'
import * as passwordResetContract from './password-reset/contract.ts'
import * as passwordReset from './password-reset/password-reset.operations.tsx'
import * as passwordResetPages from './password-reset/password-reset.pages.tsx'
import * as preferences from './preferences.operations.tsx'
import * as profilePages from './profile.pages.tsx'
import * as recoveryEmailContract from './recovery-email/contract.ts'
import * as recoveryEmail from './recovery-email/recovery-email.operations.tsx'
import * as recoveryEmailPages from './recovery-email/recovery-email.pages.tsx'
import * as confirmationPages from './registration/confirmation.pages.tsx'
import * as registration from './registration/registration.operations.tsx'

export const accountsModule: Module = {
  operations: [accounts, internal, preferences, emailChange, passwordReset, recoveryEmail, registration, onboarding],
  pages: [profilePages, emailChangePages, passwordResetPages, recoveryEmailPages, confirmationPages, onboardingPages],
  contracts: [emailChangeContract, passwordResetContract, recoveryEmailContract, onboardingContract],
}
