import type { Module } from '#lib/module.ts'
import * as magicLinksContract from './magic-links/contract.ts'
import * as magicLinkPages from './magic-links/magic-link.pages.tsx'
import * as magicLinks from './magic-links/magic-links.operations.tsx'
import * as managePasskeys from './passkeys/manage-passkeys.operations.tsx'
import * as passkeys from './passkeys/passkeys.operations.tsx'
import * as secondFactor from './second-factor/second-factor.operations.tsx'
import * as secondFactorPages from './second-factor/second-factor.pages.tsx'
import * as security from './security.operations.tsx'
import * as securityPages from './security.pages.tsx'
import * as sessions from './sessions.operations.tsx'
import * as sessionsPages from './sessions.pages.tsx'
import * as signIn from './sign-in.operations.tsx'
import * as signInPages from './sign-in.pages.tsx'
import * as socialLoginContract from './social-login/contract.ts'
import * as socialLogin from './social-login/social-login.operations.tsx'
import * as socialLoginPages from './social-login/social-login.pages.tsx'
import * as totp from './totp/totp.operations.tsx'
import { totpAuthenticators } from '../schema.ts'

export const signInModule: Module = {
  operations: [signIn, security, sessions, magicLinks, passkeys, managePasskeys, secondFactor, socialLogin, totp],
  pages: [signInPages, securityPages, sessionsPages, magicLinkPages, secondFactorPages, socialLoginPages],
  contracts: [magicLinksContract, socialLoginContract],
  sealed: [totpAuthenticators.sealedSecret],
}
