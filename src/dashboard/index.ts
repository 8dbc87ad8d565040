import type { Context } from '#lib/context.ts'
import { foldModules } from '#lib/module.ts'
import { actionsModule } from './actions/index.ts'
import { notificationsTopic } from './actions/notifications.topic.ts'
import { takeAction } from './actions/take.ts'
import { gridModule } from './grid/index.ts'
import { followedTopics } from './grid/topics.ts'
import { actionEvents } from './actions/events.ts'
import { observeDashboard } from './metrics.ts'
import { search } from './search.ts'
import { seedDashboard } from './seed.ts'
import { workflowEvents } from './workflows/events.ts'
import { deliveryModule } from './delivery/index.ts'
import { observeDeliveries } from './delivery/metrics.ts'
import { deliveryKinds } from './delivery/notification-kinds.ts'
import { deleteExpired, eraseOrganizations } from './jobs.ts'
import * as serviceIdentity from './service.operations.ts'
import { shell } from './shell.tsx'
import { dashboardData } from './tenant-data.ts'
import { billingEvents } from './billing/events.ts'
import { billingModule } from './billing/index.ts'
import { adminCheckoutsModule } from './checkout/admin/index.ts'
import { catalogModule } from './catalog/index.ts'
import * as createLaunch from './launches/create-launch.operations.ts'
import { appsStep } from './onboarding/apps.step.tsx'
import { onboardingModule } from './onboarding/index.ts'
import { launchesModule } from './launches/index.ts'
import { settingsModule } from './settings/index.ts'
import { inboxTopic } from './marketing/inbox/inbox.topic.ts'
import { marketingModule } from './marketing/index.ts'
import { widgetsModule } from './widgets/index.ts'
import { workflowsModule } from './workflows/index.ts'
import { workflowTopic } from './workflows/workflow.topic.ts'
import { workflowKinds } from './workflows/notification-kinds.ts'
import { takeEvent } from './workflows/runs/take-event.ts'
import { observeWidgets } from './widgets/metrics.ts'

export { createRequirementsOf } from './actions/usable-buttons.ts'
export { website } from './website.ts'
export { createWidgetLoader } from './widgets/loader.ts'
export { createWidgetReader } from './widgets/read.ts'

declare module '#lib/call.ts' {
  interface Provided {
    /** Of the services in this process, by their slugs. */
    readonly widgetTopics: Readonly<Record<string, Context['widgetTopics']>>
  }
}

export const dashboard: Context = {
  slug: 'platform-dashboard-api',
  group: 'dashboard',
  host: 'DASHBOARD_HOST',
  home: '/dashboard',
  startsHere: true,
  defaultPaths: ['/login', '/api/dashboard'],
  takesLimitedRoles: true,
  installable: true,
  webhooks: [],
  ...foldModules([
    gridModule, // The palette lists pages in this order.
    catalogModule,
    launchesModule,
    widgetsModule,
    actionsModule,
    deliveryModule,
    workflowsModule,
    settingsModule,
    onboardingModule,
    marketingModule,
    adminCheckoutsModule,
    billingModule,
    {
      operations: [serviceIdentity],
      jobs: [deleteExpired],
      schedules: [
        { cron: '0 57 * * * *', job: deleteExpired },
        { cron: '0 13,43 * * * *', job: eraseOrganizations },
      ],
    },
  ]),
  erasureJob: eraseOrganizations,
  start: async ({ metrics, widgets, database }) => {
    observeWidgets(metrics, widgets)
    observeDashboard(metrics, database)
    observeDeliveries(metrics)
    return { stop: async () => {} }
  },
  shell,
  search,
  seed: { content: seedDashboard },
  events: [...actionEvents, ...workflowEvents, ...billingEvents],
  topics: [notificationsTopic, workflowTopic, inboxTopic],
  widgetTopics: followedTopics,
  onboarding: [appsStep],
  takeAction,
  takeEvent,
  notificationKinds: [...workflowKinds, ...deliveryKinds],
  data: dashboardData,
}

/** The app switcher of every host opens apps with it. */
export const launcher: Context = {
  slug: dashboard.slug,
  group: dashboard.group,
  everywhere: true,
  takesLimitedRoles: true,
  launches: { operation: '/api/launches', page: '/launch' },
  webhooks: [],
  ...foldModules([{ operations: [createLaunch] }]),
}
