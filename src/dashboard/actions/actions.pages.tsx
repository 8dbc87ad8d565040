import { page } from '#lib/page.ts'
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
  load: async ({ ask, input, actor, now }): Promise<ActionsProps> => {
    const query = { ...input, limit: pageSize }
    return {
      list: await ask(listNotifications, query),
      query,
      now: now(),
      organizationId: actor.organization?.id ?? '',
    }
  },
  view: (props) => <ActionsPage {...props} />,
})
