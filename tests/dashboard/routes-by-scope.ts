import type { RoutesByScope } from '../operations/scope-routes.ts'

/** Which routes of the dashboard each scope of an API key opens (DSH-33): operations and pages that aren’t public. */
export const routesByScope: RoutesByScope = {
  'api_keys.write': [],
  'apps.read': ['GET /api/catalog', 'GET /api/catalog/:id'],
  'apps.write': ['DELETE /api/catalog/:id/install', 'POST /api/catalog/:id/install'],
  'dashboard.read': [
    'GET /api/dashboard',
    'GET /api/dashboard/layout',
    'GET /api/widget',
    'GET /dashboard',
    'PUT /api/dashboard/layout',
  ],
  'entitlements.read': ['GET /api/entitlements'],
  'launcher.read': ['GET /api/launcher'],
  'launches.read': ['GET /api/launches'],
  'notifications.read': ['GET /actions', 'GET /api/notifications', 'GET /api/notifications/:id'],
  'notifications.write': [
    'POST /api/notifications',
    'POST /api/notifications/:id/assign',
    'POST /api/notifications/:id/assign-to-me',
    'POST /api/notifications/:id/reopen',
    'POST /api/notifications/:id/resolve',
    'POST /api/notifications/:id/snooze',
    'POST /api/notifications/:id/unsnooze',
  ],
  'settings.read': ['GET /api/dashboard/settings', 'GET /settings/dashboard'],
  'settings.write': ['PUT /api/dashboard/settings'],
  'widgets.read': ['POST /api/widgets'],
  'workflows.read': [
    'GET /api/workflows',
    'GET /api/workflows/:id',
    'GET /api/workflows/:id/runs',
    'GET /api/workflows/:id/runs/:runId',
    'GET /api/workflows/events',
    'GET /settings/workflows',
    'GET /settings/workflows/:id',
  ],
  'workflows.write': [
    'DELETE /api/workflows/:id',
    'POST /api/workflows',
    'POST /api/workflows/:id/rotate-secret',
    'POST /api/workflows/:id/run',
    'POST /api/workflows/:id/runs/:runId/retry',
    'PUT /api/workflows/:id',
  ],
}
