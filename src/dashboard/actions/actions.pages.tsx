import { redirectToOnboarding } from '../onboarding/onboarding.redirect.ts'
import { page } from '#lib/page.ts'
import type { Redirect } from '#lib/reply.ts'
import { ActionsPage, type ActionsProps } from '#views/dashboard/actions/actions-page.tsx'
import { ignoreInvalid } from '#lib/text.ts'
import { NotificationFilter } from './contract.ts'
import { listNotifications } from './notifications.operations.tsx'

const { state, service, assignee } = NotificationFilter.shape
const pageSize = 50

export const actionsPage = page({
  path: '/actions',
  permission: 'notifications:read',
  screen: 'actions',
  header: 'own',
  icon: 'inbox',
  title: 'Actions',
  keywords: 'inbox notifications tasks approvals',
  query: NotificationFilter.extend({
    state: state.catch('open'),
    service: ignoreInvalid(service),
    assignee: ignoreInvalid(assignee),
  }).omit({ surface: true }),
  load: async (call): Promise<ActionsProps | Redirect> => {
    const { ask, input, actor, now, notificationKinds } = call
    const onboarding = await redirectToOnboarding(call)
    if (onboarding) return onboarding
    const query = { ...input, limit: pageSize }
    return {
      list: await ask(listNotifications, query),
      query,
      now: now(),
      organizationId: actor.organization?.id ?? '',
      kinds: notificationKinds,
    }
  },
  view: (props) => <ActionsPage {...props} />,
})
