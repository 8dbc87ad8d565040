import { auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { redirect } from '#lib/reply.ts'
import { findUser, type Account } from '../../accounts/accounts.ts'
import { sendNotices } from '../../accounts/security-notices.ts'
import { localPath } from '../../http/responses.ts'
import { findOrCreateMember } from '../../organizations/sso/members.ts'
import { openSessionFor, signIn } from '../sign-in.ts'
import { findOrCreateAccount, connectIdentity } from './accounts.ts'
import type { SsoReturn } from './contract.ts'
import { consumeTransaction, expiredTransactionCookie } from './oauth-transaction.ts'
import { reportFailure } from './report.ts'
import { ProviderFailure, type Failure, type Provider, type ProviderPerson } from './provider.ts'
import { protocols } from './providers.ts'

import { findProvider } from './social-login.ts'

export async function finishSocialLogin(call: Call<SsoReturn>) {
  const provider = await findProvider(call, call.input.provider)
  const started = await consumeTransaction(call, provider, call.input.state)
  try {
    if (!started) throw new ProviderFailure('expired', 'No sign-in was started in this browser in the last 10 minutes.')
    return await completeTransaction(call, provider, started)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    await reportFailure(call, provider, error, started !== undefined)
    return redirect(failureUrl(call, error.reason), { cookies: [expiredTransactionCookie] })
  }
}

function failureUrl({ actor, input, request }: Call<SsoReturn>, reason: Failure): string {
  const query = new URLSearchParams({ failure: reason, provider: input.provider, request: request.id })
  return `${actor ? '/settings/security' : '/login'}?${query}`
}

type StartedTransaction = NonNullable<Awaited<ReturnType<typeof consumeTransaction>>>

async function completeTransaction(call: Call<SsoReturn>, provider: Provider, started: StartedTransaction) {
  const { code, iss, error, error_description: words } = call.input
  if (error !== undefined || !code)
    throw new ProviderFailure(
      error === 'access_denied' ? 'denied' : 'failed',
      `${provider.id} responded with ${[error ?? 'no code', words].filter(Boolean).join(': ')}.`,
    )
  const person = await protocols[provider.kind].identify(provider, { code, iss }, started.transaction, call)
  if (started.userId) return connectToUser(call, started.userId, provider, person)
  const account = await findOrCreateAccount(call, provider, person, started.next)
  const answer = await signInWith(call, provider, account, person, started.next ?? undefined)
  const { next = '/', cookies = [] } = answer.options
  return redirect(next, { cookies: [...cookies, expiredTransactionCookie] })
}

/** Single sign-on opens a session for that organization alone, and its provider is responsible for second factors. */
async function signInWith(call: Call, { own }: Provider, account: Account, person: ProviderPerson, next?: string) {
  if (!own) return signIn(call, 200, account, { how: 'sso', next })
  const member = await findOrCreateMember(call, own, account, person)
  const opening = { how: 'sso', next, secondFactor: false, onlyIn: own.organizationId } as const
  return openSessionFor(call, 200, member, opening)
}

/** Only for the person who started it and is still signed in. */
async function connectToUser(call: Call, userId: string, provider: Provider, person: ProviderPerson) {
  const { actor } = call
  if (actor?.principal.id !== userId)
    throw new ProviderFailure('expired', 'In the meantime, another person signed in using this browser.')
  await auditedTransaction(call, async (tx) => {
    await connectIdentity(tx, actor.principal, provider, person, call.now())
    const happened = `${provider.name} can now sign in to your Atrium account.`
    await sendNotices(call, tx, await findUser(tx, userId), [happened])
  })
  return redirect(localPath('/settings/security'), { cookies: [expiredTransactionCookie] })
}
