import { cookieName } from '#lib/cookies.ts'
import { notFound } from '#lib/errors.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { MagicLinkForm } from '#views/identity/sign-in/magic-link.tsx'
import { LinkMailed, LinkMailedNotice } from '#views/identity/accounts/mailed-link.tsx'
import { SignInResult } from '../../contract.ts'
import { usesHttps } from '../../tokens/credential.ts'
import { keepsMails } from '#lib/mail.ts'
import { noReferrer } from '../../http/responses.ts'
import { completeSignIn, describeLink } from './consume.ts'
import { MagicLink, MagicLinkRequest, MagicLinkSent, MagicLinkToken } from './contract.ts'
import { mailLink } from './request.ts'

export const requestMagicLink = operation({
  route: 'POST /api/auth/magic-link',
  summary: 'Email a sign-in link',
  permission: 'public',
  limit: 'sign-in',
  input: MagicLinkRequest,
  output: MagicLinkSent,
  answers: { 202: MagicLinkSent },
  transaction: false,
  example: { email: 'ada@example.com' },
  run: async (call) => {
    await mailLink(call, call.input)
    return reply(202, { status: 'link_sent' as const, email: call.input.email })
  },
  view: ({ email }, call) =>
    // The session isn't validated; its cookie only decides which wording fits the page.
    call.request.cookies.has(cookieName('session', usesHttps(call.config))) ? (
      <LinkMailedNotice email={email} minutes={10} />
    ) : (
      <LinkMailed email={email} minutes={10} keepsMail={keepsMails(call.config)} />
    ),
})

export const getMagicLink = operation({
  route: 'GET /api/auth/magic-link/:token',
  summary: 'Get the account for a sign-in link',
  permission: 'public',
  limit: 'sign-in',
  headers: noReferrer,
  input: MagicLinkToken,
  output: MagicLink,
  problems: { not_found: 404 },
  run: (call) => describeLink(call, call.input.token),
  view: (link, { input }) => <MagicLinkForm token={input.token} link={link} />,
})

export const consumeMagicLink = operation({
  route: 'POST /magic-link/consume',
  summary: 'Sign in with a link',
  permission: 'public',
  limit: 'sign-in',
  input: MagicLinkToken,
  output: SignInResult,
  transaction: false,
  problems: { second_factor_required: 401, account_deletion_pending: 403, not_found: 404 },
  run: async (call) => {
    const done = await completeSignIn(call, call.input.token)
    if (!done) throw notFound('link')
    return done
  },
})
