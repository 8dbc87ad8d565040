import { launchAddressOf, presentedBy, type CatalogApp } from '#identity'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { conflict, notFound, Problem } from '#lib/errors.ts'
import { originOf } from '#lib/http/routes.ts'
import { hasAccess } from '../catalog/list.ts'
import { launches, type launchOutcomes } from '../schema.ts'
import type { LaunchRequest, LaunchResult } from './contract.ts'
import { platformOf, type Platform } from './platform.ts'

type LaunchCall = Call<unknown, Actor>
type Outcome = (typeof launchOutcomes)[number]

interface Visit {
  platform: Platform | null
  /** Whether it followed the universal link: no native build took that over. */
  isLink: boolean
}

export const visitOf = ({ headers }: LaunchCall['request'], isLink: boolean): Visit => ({
  platform: platformOf(headers.get('user-agent')),
  isLink,
})

interface Launched {
  /** Of an app that can be named to the caller. */
  app: { id: string; name: string }
  result: LaunchResult | { problem: Problem }
}

/** With a problem instead of the addresses if it's refused; both are recorded. @throws {Problem} 404 for an unknown app */
export async function launchApp(
  call: LaunchCall,
  { serviceId, surface, context }: LaunchRequest,
  { platform, isLink }: Visit,
): Promise<Launched> {
  const { db, actor, now } = call
  const app = await findApp(call, serviceId)
  const store = platform && app.nativeLinks[platform]
  const result = await openApp(call, app, { context, store, isLink }).catch((problem: unknown) => {
    if (problem instanceof Problem && problem.status < 500) return { problem }
    throw problem
  })
  const refused = 'problem' in result ? result.problem.code : null
  const outcome: Outcome = refused === null ? (store && isLink ? 'store' : 'opened') : 'refused'
  if (actor.organization)
    await db.insert(launches).values({
      organizationId: actor.organization.id,
      personId: actor.principal.id,
      serviceId: app.id,
      surface,
      outcome,
      problem: refused,
      createdAt: now(),
    })
  return { app, result }
}

/** @throws {Problem} 404 */
async function findApp({ identity, actor }: LaunchCall, ref: string): Promise<CatalogApp> {
  const { apps } = await identity.catalog(actor.organization?.id ?? null)
  const app = apps.find(({ id, slug }) => id === ref || slug === ref)
  if (!app) throw notFound('app')
  return app
}

interface Options extends Pick<Visit, 'isLink'> {
  context: string | undefined
  /** Where the native build is installed from, when the visitor's platform has one. */
  store: string | null
}

/** @throws {Problem} 403, 409 with the reason */
async function openApp(call: LaunchCall, app: CatalogApp, { context, store, isLink }: Options): Promise<LaunchResult> {
  const { identity, actor, request } = call
  const { id, name, webUrl } = app
  const isElsewhere = context !== undefined && context !== (actor.organization?.id ?? 'personal')
  if (!isElsewhere) requireInstalled(call, app)
  const universalUrl = universalUrlOf(call, id)
  if (store && isLink) return { url: store, universalUrl, expiresAt: null }
  if (store && webUrl === null) return { url: universalUrl, universalUrl, expiresAt: null }
  if (!app.launchable || webUrl === null)
    throw conflict('not_launchable', `${name} has no pages to open. Other software uses it.`)
  const { href, redirectUri } = launchAddressOf(call, { ...app, webUrl })
  if (redirectUri === null) return { url: store ? universalUrl : href, universalUrl, expiresAt: null }
  const wanted = { service_id: id, redirect_uri: redirectUri, context }
  const handoff = await identity.handOff(presentedBy(request), wanted, request.url.origin)
  return { ...handoff, url: store ? withCode(universalUrl, handoff.url, context) : handoff.url, universalUrl }
}

/** A native build redeems the code with the same redirect URI as the app in the browser. */
function withCode(universalUrl: string, handoffUrl: string, context: string | undefined): string {
  const url = new URL(universalUrl)
  url.searchParams.set('code', new URL(handoffUrl).searchParams.get('sso_code') ?? '')
  if (context !== undefined) url.searchParams.set('context', context)
  return url.href
}

/** @throws {Problem} 403, 409 */
function requireInstalled({ actor }: LaunchCall, app: CatalogApp): void {
  const { name, installed } = app
  const where = actor.organization ? 'your organization' : 'your personal account'
  if (!installed)
    throw conflict('app_not_installed', `${name} isn’t installed in ${where}. An admin can install it in Apps.`)
  if (!hasAccess(actor, app))
    throw new Problem(
      403,
      'app_access_missing',
      `You have no permission for ${name} in ${where}. Ask an admin for a role that has one.`,
    )
}

/** A page of the dashboard, which native builds register for. */
export const universalUrlOf = ({ hosts, config, request }: Pick<Call, 'hosts' | 'config' | 'request'>, id: string) =>
  `${originOf(hosts, 'platform-dashboard-api', config.PUBLIC_URL, request.url.origin)}/launch/${id}`
