import { z } from 'zod'
import { notFound } from '#lib/errors.ts'
import { operation } from '#lib/operation.ts'
import { paging } from '#lib/paginate.ts'
import { describeApp, hasAccess, readSource } from '../catalog/list.ts'
import { pageOf } from '../catalog/page-of.ts'
import { Entitlements, Launcher, LaunchList, LaunchQuery } from './contract.ts'
import { universalUrlOf } from './launch.ts'
import { listLaunchRows } from './list.ts'

export const listLaunches = operation({
  route: 'GET /api/launches',
  summary: 'List launches of apps',
  permission: 'launches:read',
  machine: true,
  input: LaunchQuery,
  output: LaunchList,
  run: (call) => listLaunchRows(call, call.input),
})

export const getLauncher = operation({
  route: 'GET /api/launcher',
  summary: 'List the apps of the launcher',
  permission: 'launcher:read',
  machine: true,
  input: z.object(paging),
  output: Launcher,
  run: async (call) => {
    const source = await readSource(call)
    const isKey = call.actor.tokenType === 'api_key'
    const apps = source.apps.filter(
      (app) => app.installed && app.launchable && app.webUrl !== null && (isKey || hasAccess(call.actor, app)),
    )
    const links = new Map(apps.map((app) => [app.id, app]))
    const page = pageOf(
      apps.map((app) => describeApp(call, source, app)),
      call.input,
    )
    return {
      items: page.items.flatMap(
        ({ id, slug, name, description, icon, group, webUrl, favorite, hidden, firstParty }) => {
          const app = links.get(id)
          if (!app || webUrl === null) return []
          const { nativeLinks, handoffUri } = app
          const universalUrl = universalUrlOf(call, id)
          const handoff = firstParty || handoffUri !== null
          return [
            { id, slug, name, description, icon, group, webUrl, universalUrl, nativeLinks, handoff, favorite, hidden },
          ]
        },
      ),
      nextCursor: page.nextCursor,
      tileSize: source.preferences.tileSize,
    }
  },
})

export const getEntitlements = operation({
  route: 'GET /api/entitlements',
  summary: 'Get the plan and its paid apps',
  permission: 'entitlements:read',
  machine: true,
  input: z.object(paging),
  output: Entitlements,
  run: async (call) => {
    const source = await readSource(call)
    if (!source.plan) throw notFound('organization')
    const { mode, used, allowed, left, seats } = source.plan
    const paid = source.apps.map((app) => describeApp(call, source, app)).filter((app) => app.paid)
    const page = pageOf(paid, call.input)
    return {
      items: page.items.map(({ id, slug, name, installed, covered }) => ({ id, slug, name, installed, covered })),
      nextCursor: page.nextCursor,
      plan: { mode, used, allowed, left, seats },
    }
  },
})
