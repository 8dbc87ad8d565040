import type { Config } from '#config'
import type { Actor } from '#lib/actor.ts'
import type { Call, RequestFacts } from '#lib/call.ts'
import type { Context, ShellPart } from '#lib/context.ts'
import { cookieName } from '#lib/cookies.ts'
import { scopeOf } from '#lib/http/routes.ts'
import type { Shell, Theme } from '#views/shell/shell.ts'

export async function shellOf(contexts: readonly Context[], call: Call, actor: Actor): Promise<Shell> {
  const scope = scopeOf(call.hosts, call.request.url.hostname)
  const open = contexts.flatMap((context) =>
    context.shell && scope.isOpen(context) ? [context.shell(call, actor)] : [],
  )
  const parts: ShellPart[] = await Promise.all(open)
  const start: Shell = {
    path: call.request.url.pathname,
    user: { id: actor.principal.id, name: '', role: actor.organization?.role ?? null },
    organization: null,
    organizationId: null,
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
  }
  return parts.reduce<Shell>(
    (shell, { places = [], primary = null, ...part }) => ({
      ...shell,
      ...part,
      places: [...shell.places, ...places],
      primary: shell.primary ?? primary,
    }),
    start,
  )
}

export function themeOf({ cookies }: Pick<RequestFacts, 'cookies'>, { PUBLIC_URL }: Config): Theme {
  const theme = cookies.get(cookieName('theme', PUBLIC_URL?.startsWith('https:') ?? false))
  return theme === 'light' || theme === 'dark' ? theme : undefined
}
