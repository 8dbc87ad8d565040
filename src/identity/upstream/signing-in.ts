import { auditedStep } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { notFound, Problem } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { redirect, reply } from '#lib/reply.ts'
import { localPath } from '../next.ts'
import { findUser, type Account } from '../accounts.ts'
import { sendNotices } from '../security-notices.ts'
import { memberBy } from '../own-sign-in/members.ts'
import { ownProvider } from '../own-sign-in/own-sign-in.ts'
import { openSessionFor, signIn } from '../signing-in.ts'
import { accountBy, connect } from './accounts.ts'
import type { UpstreamReturn } from './contract.ts'
import { begin, take, withoutDevice } from './flow.ts'
import { reportFailure } from './report.ts'
import { UpstreamFailure, type Failure, type Provider, type UpstreamPerson } from './provider.ts'
import { configuredProviders, protocols } from './providers.ts'

/** The provider with this id. Throws 404. */
async function providerOf(call: Call, id: string): Promise<Provider> {
  const configured = configuredProviders(call.config).find((each) => each.id === id)
  const provider = configured ?? (Id.safeParse(id).success ? await ownProvider(call, id) : undefined)
  if (!provider) throw notFound('sign-in provider')
  return provider
}

/** Sends a browser to a provider, and answers how it is known again. Throws 404, and 502 when the provider is unwell. */
export async function leave(call: Call, id: string, wish: { userId: string | null; next?: string }) {
  const provider = await providerOf(call, id)
  const { tie, cookie } = await begin(call, provider, wish)
  const url = await protocols[provider.kind].authorizeUrl(provider, tie, call).catch((cause: unknown) => {
    throw cause instanceof UpstreamFailure ? unwell(provider, cause) : cause
  })
  return reply(200, { authorizeUrl: url.href }, { cookies: [cookie], next: url.href })
}

const unwell = ({ name }: Provider, cause: unknown) =>
  new Problem(
    502,
    'provider_unreachable',
    `${name} doesn’t answer as it should. Try again soon, or sign in another way.`,
    {
      cause,
    },
  )

/** Whoever comes back goes on, signed in or with one more way to; else to where it is told what went wrong. */
export async function comeBack(call: Call<UpstreamReturn>) {
  const provider = await providerOf(call, call.input.provider)
  const begun = await take(call, provider, call.input.state)
  try {
    if (!begun) throw new UpstreamFailure('expired', 'No sign-in was begun in this browser in the last ten minutes.')
    return await arrive(call, provider, begun)
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error
    await reportFailure(call, provider, error, begun !== undefined)
    return redirect(troubleAt(call, error.reason), { cookies: [withoutDevice] })
  }
}

function troubleAt({ actor, input, request }: Call<UpstreamReturn>, reason: Failure): string {
  const query = new URLSearchParams({ upstream: reason, provider: input.provider, request: request.id })
  return `${actor ? '/settings/security' : '/login'}?${query}`
}

type Begun = NonNullable<Awaited<ReturnType<typeof take>>>

async function arrive(call: Call<UpstreamReturn>, provider: Provider, begun: Begun) {
  const { code, iss, error, error_description: words } = call.input
  if (error !== undefined || !code)
    throw new UpstreamFailure(
      error === 'access_denied' ? 'denied' : 'failed',
      `${provider.id} answered ${[error ?? 'without a code', words].filter(Boolean).join(': ')}.`,
    )
  const person = await protocols[provider.kind].identify(provider, { code, iss }, begun.tie, call)
  if (begun.userId) return connectTo(call, begun.userId, provider, person)
  const account = await accountBy(call, provider, person, begun.next)
  const answer = await letIn(call, provider, account, person, begun.next ?? undefined)
  const { next = '/', cookies = [] } = answer.options
  return redirect(next, { cookies: [...cookies, withoutDevice] })
}

/** An organization's own provider lets in to that organization alone, and answers for every factor there. */
async function letIn(call: Call, { own }: Provider, account: Account, person: UpstreamPerson, next?: string) {
  if (!own) return signIn(call, 200, account, { how: 'upstream', next })
  const member = await memberBy(call, own, account, person)
  const opening = { how: 'upstream', next, secondFactor: false, onlyIn: own.organizationId } as const
  return openSessionFor(call, 200, member, opening)
}

/** Only who began to connect it, and is still the one who is signed in. */
async function connectTo(call: Call, userId: string, provider: Provider, person: UpstreamPerson) {
  const { actor } = call
  if (actor?.principal.id !== userId) throw new UpstreamFailure('expired', 'Somebody else is signed in by now.')
  await auditedStep(call, async (tx) => {
    await connect(tx, actor.principal, provider, person, call.now())
    const happened = `Your Atrium account can now be signed in to with ${provider.name}.`
    await sendNotices(call, tx, await findUser(tx, userId), [happened])
  })
  return redirect(localPath('/settings/security'), { cookies: [withoutDevice] })
}
