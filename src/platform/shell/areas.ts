import type { Actor } from '#lib/actor.ts'
import { isAllowed, serviceIdOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Context } from '#lib/context.ts'
import type { Area, Page } from '#lib/page.ts'
import type { ShellArea, ShellPlace } from '#views/shell/shell.ts'

const titles: Record<Area, string> = { settings: 'Settings', admin: 'Administration', developers: 'Developers' }

/** It shows the pages of the settings, and isn't one among them. */
export const overviewPath = '/settings'

const organization = 'Organization'
const groups: Record<Area, (string | null)[]> = {
  settings: ['You', organization],
  admin: ['Platform'],
  developers: [null],
}

/**
 * The sidebar of an area for one person: its pages that they can open, by rank and declaration, without those below
 * another page.
 */
export async function areaOf(
  contexts: readonly Context[],
  { actor, identity }: Pick<Call<unknown, Actor>, 'actor' | 'identity'>,
  area: Area,
): Promise<ShellArea> {
  const found = await Promise.all(
    contexts.map(async (context) => {
      const pages = context.pages.filter(({ frame }) => frame === area)
      const serviceId = pages.length > 0 ? await serviceIdOf(context, identity.serviceId) : ''
      return pages.map((page) => ({ page, isOpen: isAllowed(actor, page.permission, serviceId) }))
    }),
  )
  const pages = found.flat().filter(({ page }) => page.path !== overviewPath)
  const isBelow = ({ path }: Page) => pages.some(({ page }) => path.startsWith(`${page.path}/`))
  const top = pages
    .flatMap(({ page, isOpen }) => (isOpen && !isBelow(page) ? [page] : []))
    .toSorted((one, other) => (one.rank ?? 0) - (other.rank ?? 0))
  const grouped = groups[area].map((title) => ({ title, pages: top.filter((page) => groupOf(area, page) === title) }))
  return {
    title: titles[area],
    isApp: area === 'developers',
    groups: grouped.map((group) => ({
      title: group.title,
      hasOrganizations: group.title === organization,
      places: [...group.pages.map(linkTo), ...more[area]],
    })),
    quick: grouped
      .flatMap((group) => group.pages)
      .toSorted((one, other) => Number(other.quick ?? false) - Number(one.quick ?? false))
      .map(linkTo),
  }
}

/** The reference is outside the areas: it needs no session. */
const more: Record<Area, ShellPlace[]> = {
  settings: [],
  admin: [],
  developers: [{ label: 'API reference', icon: 'code', href: '/openapi' }],
}

const linkTo = ({ path, title, icon = 'settings', summary }: Page): ShellPlace => ({
  label: typeof title === 'string' ? title : '',
  href: path,
  icon,
  summary,
})

/** What every person has in the settings is their own; the rest is the organization's. */
const groupOf = (area: Area, { permission }: Page): string | null =>
  area === 'settings' && permission !== 'signed-in' ? organization : (groups[area][0] ?? null)
