import type { Config } from '#config'
import type { Actor } from '#lib/actor.ts'
import { isAllowed } from '#lib/authorize.ts'
import type { Call, RequestFacts } from '#lib/call.ts'
import type { Context, ShellPart } from '#lib/context.ts'
import { cookieName } from '#lib/cookies.ts'
import { originOf, scopeOf } from '#lib/http/routes.ts'
import type { Area, Frame } from '#lib/page.ts'
import type { Shell, Theme } from '#views/shell/shell.ts'
import { areaOf } from './areas.ts'

const isArea = (frame: Frame): frame is Area => frame === 'settings' || frame === 'admin' || frame === 'developers'

/** Where a page is shown: in an area, or among the pages of its service. */
export interface ShellPlacement {
  frame: Frame
  /** The service of the page; without one, the first that has pages here. */
  context?: Pick<Context, 'slug'>
}

/**
 * Where the problem of a path is shown: with the pages of its first folder, if the person can open one of an area. The
 * developers' area has the API reference for all.
 */
export function placeOf(contexts: readonly Context[], path: string, actor: Actor): ShellPlacement {
  for (const context of contexts) {
    const near = context.pages.find((page) => folderOf(page.path) === folderOf(path))
    const frame = near?.frame ?? 'shell'
    if (near && (!isArea(frame) || frame === 'developers' || isAllowed(actor, near.permission, '')))
      return { frame, context }
  }
  return { frame: 'shell' }
}

const folderOf = (path: string) => path.split('/', 2)[1]

/** The frame around a page: the person's part, and the sidebar of the page's service or area. */
export async function shellOf(
  contexts: readonly Context[],
  { frame, context }: ShellPlacement,
  call: Call,
  actor: Actor,
): Promise<Shell> {
  const scope = scopeOf(call.hosts, call.request.url.hostname)
  const open = contexts.filter((candidate) => candidate.shell && scope.isOpen(candidate))
  const services = open.filter(({ everywhere }) => !everywhere)
  const service = isArea(frame) ? undefined : (services.find(({ slug }) => slug === context?.slug) ?? services[0])
  const parts: ShellPart[] = await Promise.all(
    open.flatMap((candidate) =>
      candidate.shell && (candidate.everywhere || candidate === service) ? [candidate.shell(call, actor)] : [],
    ),
  )
  const start: Shell = {
    path: call.request.url.pathname,
    area: isArea(frame) ? await areaOf(contexts.filter(scope.isOpen), { ...call, actor }, frame) : null,
    user: { id: actor.principal.id, name: '', role: actor.organization?.role ?? null },
    organization: null,
    organizationId: null,
    organizationLogo: null,
    organizations: [],
    apps: [],
    hiddenApps: [],
    tileSize: 'medium',
    theme: themeOf(call.request, call.config),
    places: [],
    primary: null,
    switcher: <></>,
    selected: null,
    dialogs: <></>,
    canAdminister: false,
    hasWorker: open.some(({ installable }) => installable),
    launches: launchesOf(contexts.filter(scope.isOpen), call),
  }
  return parts.reduce<Shell>((shell, part) => ({ ...shell, ...part }), start)
}

function launchesOf(open: readonly Context[], { hosts, config, request }: Call): Shell['launches'] {
  for (const { slug, launches } of open) {
    if (!launches) continue
    const here = request.url.origin
    const origin = originOf(hosts, slug, config.PUBLIC_URL, here)
    return { path: launches.operation, page: (origin === here ? '' : origin) + launches.page }
  }
  return null
}

export function themeOf({ cookies }: Pick<RequestFacts, 'cookies'>, { PUBLIC_URL }: Config): Theme {
  const theme = cookies.get(cookieName('theme', PUBLIC_URL?.startsWith('https:') ?? false))
  return theme === 'light' || theme === 'dark' ? theme : undefined
}
