import { z } from 'zod'
import { presentedBy } from '#identity'
import type { Call } from '#lib/call.ts'
import { page } from '#lib/page.ts'
import { redirect } from '#lib/reply.ts'
import { Front } from '#views/platform/front.tsx'
import { findHome, type Homes } from './find-home.ts'

/** Signed-in people are redirected to their home, else to their organizations. */
export const frontOf = (homes: Homes) =>
  page({
    path: '/',
    permission: 'public',
    frame: 'site',
    screen: 'site front',
    title: 'Posts go out once, budgets hold, the books balance',
    query: z.object({}),
    load: async (call) => {
      const { actor, identity } = call
      if (actor?.unmetRequirement) return redirect('/settings/security')
      if (actor && (await isBeingSetUp(call))) return redirect(setUp)
      if (actor) return redirect((await findHome(homes, call, actor)) ?? '/settings/workspaces')
      return (await identity.hasAccounts()) ? {} : redirect('/register')
    },
    view: () => <Front />,
  })

const setUp = '/onboarding'

/** The process with the page has the steps of people, too. */
const isBeingSetUp = async ({ config, identity, onboardingSteps, request }: Call): Promise<boolean> =>
  config.ONBOARDING &&
  onboardingSteps.some(({ scope }) => scope === 'person') &&
  !(await identity.onboarding(presentedBy(request))).completed
