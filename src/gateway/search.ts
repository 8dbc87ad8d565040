import { and, desc, eq, gte, ilike, isNotNull, or } from 'drizzle-orm'
import { isAllowed } from '#lib/authorize.ts'
import { containsPattern } from '#lib/db.ts'
import { matchesQuery, searchResult, searchSource, type SearchCall, type SearchResult } from '#lib/search.ts'
import { listLimits } from './budgets/limits.ts'
import { listSuppressions } from './email/suppressions.ts'
import { nameApps } from './names.ts'
import { emailMessages, emailRecipients, senderDomains, senders, usageDaily } from './schema.ts'
import { listAccounts } from './social-credentials/accounts.ts'
import { networkName } from './social-credentials/networks.ts'
import { dayAfter, dayOf } from './usage/partitions.ts'

const maxResults = { models: 4, limits: 3, senders: 3, domains: 2, emails: 3, suppressed: 2, accounts: 3 }
/** In which a model was used, or an email was sent. */
const recentDays = 30
const dayMs = 24 * 60 * 60_000
const maxLimits = 100

const kinds = {
  model: { title: 'Models', icon: 'boxes' },
  limit: { title: 'Limits', icon: 'piggy-bank' },
  sender: { title: 'Senders', icon: 'send' },
  domain: { title: 'Sender domains', icon: 'globe' },
  email: { title: 'Emails', icon: 'mail' },
  suppression: { title: 'Suppressed addresses', icon: 'circle-slash' },
  account: { title: 'Connected accounts', icon: 'plug' },
} as const

export const search = searchSource({
  kinds,
  find: async (call, words) => {
    const { actor, identity } = call
    const gatewayId = await identity.serviceId('platform-gateway')
    if (actor.organization === null || !isAllowed(actor, 'usage:read', gatewayId)) return []
    const found: SearchResult<keyof typeof kinds>[][] = await Promise.all([
      findModels(call, words),
      findLimits(call, words),
      findSenders(call, words),
      findDomains(call, words),
      findEmails(call, words),
      findSuppressed(call, words),
      findAccounts(call, words),
    ])
    return found.flat()
  },
})

async function findModels({ db, actor, now }: SearchCall, words: string): Promise<SearchResult<'model'>[]> {
  const rows = await db
    .selectDistinct({ model: usageDaily.model, provider: usageDaily.provider })
    .from(usageDaily)
    .where(
      and(
        eq(usageDaily.organizationId, actor.organization?.id ?? ''),
        gte(usageDaily.day, dayAfter(dayOf(now()), -recentDays)),
        eq(usageDaily.family, 'ai'),
        isNotNull(usageDaily.model),
      ),
    )
    .orderBy(usageDaily.model)
  return rows
    .flatMap(({ model, provider }) =>
      model !== null && matchesQuery(words, `${model} ${provider}`) ? [{ model, provider }] : [],
    )
    .slice(0, maxResults.models)
    .map(({ model, provider }) => ({
      ...searchResult('model', model, `/gateway/models/${encodeURIComponent(provider)}/${encodeURIComponent(model)}`),
      detail: provider,
    }))
}

async function findAccounts({ db, actor }: SearchCall, words: string): Promise<SearchResult<'account'>[]> {
  const { items } = await listAccounts(db, actor, { q: words, limit: maxResults.accounts })
  return items.map(({ id, name, provider, brandName }) => ({
    ...searchResult('account', name, `/gateway/connections?q=${encodeURIComponent(name)}`),
    id,
    detail: `${networkName(provider)} · ${brandName}`,
  }))
}

async function findLimits(call: SearchCall, words: string): Promise<SearchResult<'limit'>[]> {
  const { items } = await listLimits(call.db, call.actor, { limit: maxLimits })
  const names = items.some(({ scopeType }) => scopeType === 'application') ? await nameApps(call) : null
  return items
    .map(({ id, scopeType, scopeValue, family, period }) => ({
      ...searchResult('limit', limitName(scopeType, names?.get(scopeValue) ?? scopeValue), '/gateway/limits'),
      id,
      detail: [family, period].filter(Boolean).join(', '),
    }))
    .filter(({ label, detail }) => matchesQuery(words, `${label} ${detail}`))
    .slice(0, maxResults.limits)
}

async function findSenders({ db, actor }: SearchCall, words: string): Promise<SearchResult<'sender'>[]> {
  const rows = await db
    .select({ id: senders.id, address: senders.address, name: senders.name })
    .from(senders)
    .where(eq(senders.organizationId, actor.organization?.id ?? ''))
    .orderBy(senders.address)
  return rows
    .filter(({ address, name }) => matchesQuery(words, `${name} ${address}`))
    .slice(0, maxResults.senders)
    .map(({ id, address, name }) => ({ ...searchResult('sender', address, '/gateway/senders'), id, detail: name }))
}

async function findDomains({ db, actor }: SearchCall, words: string): Promise<SearchResult<'domain'>[]> {
  const rows = await db
    .select({ id: senderDomains.id, domain: senderDomains.domain, verifiedAt: senderDomains.verifiedAt })
    .from(senderDomains)
    .where(eq(senderDomains.organizationId, actor.organization?.id ?? ''))
    .orderBy(senderDomains.domain)
  return rows
    .filter(({ domain }) => matchesQuery(words, domain))
    .slice(0, maxResults.domains)
    .map(({ id, domain, verifiedAt }) => ({
      ...searchResult('domain', domain, '/gateway/senders'),
      id,
      detail: verifiedAt ? 'Verified' : 'Waiting for DNS',
    }))
}

/** By subject or recipient, the newest first. */
async function findEmails({ db, actor, now }: SearchCall, words: string): Promise<SearchResult<'email'>[]> {
  const pattern = containsPattern(words)
  const rows = await db
    .select({ id: emailMessages.id, subject: emailMessages.subject, address: emailRecipients.address })
    .from(emailRecipients)
    .innerJoin(emailMessages, eq(emailMessages.id, emailRecipients.messageId))
    .where(
      and(
        eq(emailRecipients.organizationId, actor.organization?.id ?? ''),
        gte(emailRecipients.createdAt, new Date(now().getTime() - recentDays * dayMs)),
        or(ilike(emailMessages.subject, pattern), ilike(emailRecipients.address, pattern)),
      ),
    )
    .orderBy(desc(emailRecipients.id))
    .limit(maxResults.emails)
  return rows.map(({ id, subject, address }) => ({
    ...searchResult('email', subject || '(no subject)', `/gateway/mail/${id}`),
    id,
    detail: address,
  }))
}

async function findSuppressed({ db, actor }: SearchCall, words: string): Promise<SearchResult<'suppression'>[]> {
  const { items } = await listSuppressions(db, actor, { q: words, limit: maxResults.suppressed })
  return items.map(({ id, address }) => ({
    ...searchResult('suppression', address, `/gateway/mail/suppressed?q=${encodeURIComponent(address)}`),
    id,
  }))
}

const limitName = (type: string, name: string): string =>
  type === 'application' ? `Limit of ${name}` : `Limit of the ${type}`
