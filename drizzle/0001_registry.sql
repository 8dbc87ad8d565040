-- The registry's first-party services. Their ids are made here, in each environment anew.
INSERT INTO identity.services (slug, name, description) VALUES
  ('platform-identity', 'Identity', 'People, organizations, sessions and permissions'),
  ('platform-gateway', 'Gateway', 'Providers, usage and budgets'),
  ('platform-socialize', 'Social', 'Publishing to social networks'),
  ('platform-dashboard-api', 'Dashboard', 'Workspace dashboard and launcher'),
  ('platform-pay', 'Payments', 'Orders, payments and settlements');
--> statement-breakpoint
-- What API keys can carry: the scope is the permission's name with a dot.
INSERT INTO identity.service_permissions (service_id, permission, scope, description)
SELECT services.id, catalog.permission, replace(catalog.permission, ':', '.'), catalog.description
FROM (VALUES
  ('platform-socialize', 'accounts:read', 'View connected social accounts'),
  ('platform-socialize', 'accounts:write', 'Connect and manage social accounts'),
  ('platform-socialize', 'analytics:read', 'View social media analytics'),
  ('platform-socialize', 'api_keys:write', 'Manage the service''s machine credentials'),
  ('platform-socialize', 'calendar:read', 'View content calendar'),
  ('platform-socialize', 'calendar:write', 'Manage content calendar'),
  ('platform-socialize', 'dashboard:read', 'View the dashboard'),
  ('platform-socialize', 'posts:read', 'View scheduled and published posts'),
  ('platform-socialize', 'posts:write', 'Create and schedule social posts'),
  ('platform-gateway', 'ai:invoke', 'Invoke AI-provider routes through authenticated service-client contexts'),
  ('platform-gateway', 'apps:read', 'View application and attribution metadata'),
  ('platform-gateway', 'limits:manage', 'Manage spend and usage limits'),
  ('platform-gateway', 'org:admin', 'Manage organization-scoped administrative settings'),
  ('platform-gateway', 'organizations:provision', 'Provision organization-scoped service-client access'),
  ('platform-gateway', 'provider_credentials:manage', 'Manage provider credentials and platform defaults'),
  ('platform-gateway', 'service:invoke', 'Invoke service-client routes through authenticated service-client contexts'),
  ('platform-gateway', 'usage:read', 'View usage, budget and provider telemetry'),
  ('platform-dashboard-api', 'api_keys:write', 'Manage the service''s machine credentials'),
  ('platform-dashboard-api', 'apps:read', 'View installed apps'),
  ('platform-dashboard-api', 'apps:write', 'Install and remove apps'),
  ('platform-dashboard-api', 'dashboard:read', 'View the dashboard'),
  ('platform-dashboard-api', 'entitlements:read', 'View the workspace''s entitlements'),
  ('platform-dashboard-api', 'launcher:read', 'View the launcher'),
  ('platform-dashboard-api', 'launches:read', 'View launches of apps'),
  ('platform-dashboard-api', 'notifications:read', 'View notifications'),
  ('platform-dashboard-api', 'notifications:write', 'Raise and settle notifications'),
  ('platform-dashboard-api', 'settings:read', 'View settings'),
  ('platform-dashboard-api', 'settings:write', 'Change settings'),
  ('platform-dashboard-api', 'widgets:read', 'View widgets'),
  ('platform-dashboard-api', 'workflows:read', 'View workflows and their runs'),
  ('platform-dashboard-api', 'workflows:write', 'Make and change workflows'),
  ('platform-pay', 'analytics:read', 'View payment analytics'),
  ('platform-pay', 'audit:read', 'View audit logs'),
  ('platform-pay', 'customers:read', 'View customers'),
  ('platform-pay', 'customers:write', 'Manage customers and their payment methods'),
  ('platform-pay', 'dashboard:read', 'View the dashboard'),
  ('platform-pay', 'invoices:read', 'View invoices'),
  ('platform-pay', 'invoices:write', 'Make and change invoices'),
  ('platform-pay', 'merchants:read', 'View merchants'),
  ('platform-pay', 'merchants:write', 'Manage merchants'),
  ('platform-pay', 'payments:create', 'Create payment or checkout sessions'),
  ('platform-pay', 'payments:read', 'View payments'),
  ('platform-pay', 'reports:read', 'View reports'),
  ('platform-pay', 'settings:read', 'View settings'),
  ('platform-pay', 'settings:write', 'Change settings'),
  ('platform-pay', 'settlements:write', 'Accept peer-to-peer settlement batches'),
  ('platform-pay', 'transactions:read', 'View transactions'),
  ('platform-pay', 'transactions:refund', 'Refund transactions'),
  ('platform-pay', 'transactions:write', 'Make and change transactions'),
  ('platform-pay', 'venues:read', 'View venues'),
  ('platform-pay', 'venues:write', 'Manage venues')
) AS catalog (slug, permission, description)
JOIN identity.services ON services.slug = catalog.slug;
--> statement-breakpoint
-- What people and services hold and no key can carry.
INSERT INTO identity.service_permissions (service_id, permission, description)
SELECT services.id, catalog.permission, catalog.description
FROM (VALUES
  ('platform-socialize', 'brands:write', 'Make, change and transfer brands'),
  ('platform-socialize', 'images:override', 'Override limits of image generation'),
  ('platform-socialize', 'posts:review', 'Approve and refuse posts'),
  ('platform-gateway', 'images:override', 'Override limits of image generation'),
  ('platform-gateway', 'usage:write', 'Report usage')
) AS catalog (slug, permission, description)
JOIN identity.services ON services.slug = catalog.slug;
--> statement-breakpoint
-- Each permission stands with the lowest role that has it; every role above has it too.
INSERT INTO identity.role_bundles (service_id, role, permission)
SELECT services.id, roles.role, bundle.permission
FROM (VALUES
  ('platform-socialize', 'viewer', ARRAY['accounts:read', 'analytics:read', 'calendar:read', 'dashboard:read', 'posts:read']),
  ('platform-socialize', 'reviewer', ARRAY['posts:review']),
  ('platform-socialize', 'editor', ARRAY['calendar:write', 'posts:write']),
  ('platform-socialize', 'admin', ARRAY['accounts:write', 'api_keys:write', 'brands:write', 'images:override']),
  ('platform-gateway', 'viewer', ARRAY['apps:read', 'usage:read']),
  ('platform-gateway', 'editor', ARRAY['ai:invoke']),
  ('platform-gateway', 'admin', ARRAY['images:override', 'limits:manage', 'org:admin', 'provider_credentials:manage', 'usage:write']),
  ('platform-dashboard-api', 'viewer', ARRAY['apps:read', 'dashboard:read', 'entitlements:read', 'launcher:read', 'launches:read', 'notifications:read', 'settings:read', 'widgets:read', 'workflows:read']),
  ('platform-dashboard-api', 'reviewer', ARRAY['notifications:write']),
  ('platform-dashboard-api', 'admin', ARRAY['api_keys:write', 'apps:write', 'settings:write', 'workflows:write']),
  ('platform-pay', 'viewer', ARRAY['analytics:read', 'audit:read', 'customers:read', 'dashboard:read', 'invoices:read', 'merchants:read', 'payments:read', 'reports:read', 'settings:read', 'transactions:read', 'venues:read']),
  ('platform-pay', 'editor', ARRAY['customers:write', 'invoices:write', 'payments:create', 'transactions:write']),
  ('platform-pay', 'admin', ARRAY['merchants:write', 'settings:write', 'settlements:write', 'transactions:refund', 'venues:write'])
) AS lowest (slug, role, permissions)
CROSS JOIN unnest(lowest.permissions) AS bundle (permission)
JOIN identity.services ON services.slug = lowest.slug
JOIN (VALUES ('viewer', 1), ('reviewer', 2), ('editor', 3), ('admin', 4), ('owner', 5)) AS roles (role, rank) ON true
JOIN (VALUES ('viewer', 1), ('reviewer', 2), ('editor', 3), ('admin', 4), ('owner', 5)) AS ranks (role, rank)
  ON ranks.role = lowest.role AND roles.rank >= ranks.rank;
