import { redirectToOnboarding } from '../onboarding/onboarding.redirect.ts'
import { page } from '#lib/page.ts'
import { Limit } from '#lib/paginate.ts'
import { CatalogPage } from '#views/dashboard/catalog/catalog.tsx'
import { z } from 'zod'
import { ignoreInvalid } from '#lib/text.ts'
import { listCatalog, listPersonalCatalog } from './catalog.operations.tsx'
import { CatalogQuery, CatalogView } from './contract.ts'

const firstApps = 60
const { shape } = CatalogQuery

export const appsPage = page({
  path: '/apps',
  permission: 'signed-in',
  query: z.object({
    q: ignoreInvalid(shape.q),
    view: CatalogView.catch('all'),
    cursor: shape.cursor,
    limit: Limit.catch(firstApps),
  }),
  screen: 'apps',
  icon: 'blocks',
  title: 'Apps',
  keywords: 'catalog install uninstall favorites hidden launch',
  load: async (call) => {
    const { ask, actor, input } = call
    const onboarding = await redirectToOnboarding(call)
    if (onboarding) return onboarding
    return { catalog: await ask(actor.organization ? listCatalog : listPersonalCatalog, input), query: input }
  },
  view: (props, { actor }) => <CatalogPage {...props} role={actor.organization?.role ?? null} />,
})
