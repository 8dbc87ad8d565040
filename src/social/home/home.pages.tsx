import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { reply, type Reply } from '#lib/reply.ts'
import { ignoreInvalid } from '#lib/text.ts'
import { NoBrand, type NoBrandProps } from '#views/social/brands/no-brand.tsx'
import { Home } from '#views/social/home/home.tsx'
import type { HomeProps } from '#views/social/home/props.ts'
import { askCurrentBrand, rememberBrand, replyWithoutBrand } from '../http/current-brand.ts'
import { placeOf } from '../http/place.ts'
import { getSocialDashboard } from './home.operations.tsx'

export const homePage = page({
  path: '/workspace',
  permission: 'dashboard:read',
  query: z.object({ brandId: ignoreInvalid(Id) }),
  screen: 'home milestones review usage',
  title: 'Home',
  icon: 'sun',
  keywords: 'today overview start',
  load: async (call): Promise<Reply<HomeProps | NoBrandProps>> => {
    const current = await askCurrentBrand(call, 'dashboard:read')
    const { brand } = current
    if (!brand) return replyWithoutBrand(current)
    const [dashboard, place] = await Promise.all([
      call.ask(getSocialDashboard, { brandId: brand.id }),
      placeOf(call, brand),
    ])
    return reply(200, { dashboard, place }, rememberBrand(call, brand.id))
  },
  view: (data) => ('dashboard' in data ? <Home {...data} /> : <NoBrand {...data} />),
})
