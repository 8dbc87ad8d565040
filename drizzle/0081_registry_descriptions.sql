-- Descriptions that an administrator has edited stay.
UPDATE "identity"."service_permissions" AS "permission" SET "description" = "words"."after"
FROM (VALUES
  ('platform-socialize', 'accounts:write', 'Connect and manage social accounts', 'Connect, update and disconnect social accounts'),
  ('platform-socialize', 'api_keys:write', 'Manage the service''s machine credentials', 'Create, rotate and revoke API keys'),
  ('platform-socialize', 'calendar:read', 'View content calendar', 'View the content calendar'),
  ('platform-socialize', 'calendar:write', 'Manage content calendar', 'Manage the content calendar'),
  ('platform-socialize', 'posts:read', 'View scheduled and published posts', 'View drafts, scheduled posts and published posts'),
  ('platform-socialize', 'posts:write', 'Create and schedule social posts', 'Create, schedule and publish posts'),
  ('platform-socialize', 'brands:write', 'Make, change and transfer brands', 'Create, edit and transfer brands'),
  ('platform-socialize', 'images:override', 'Override limits of image generation', 'Generate images beyond the usage limits'),
  ('platform-socialize', 'posts:review', 'Approve and refuse posts', 'Approve or reject posts'),
  ('platform-gateway', 'ai:invoke', 'Invoke AI-provider routes through authenticated service-client contexts', 'Send requests to AI models'),
  ('platform-gateway', 'apps:read', 'View application and attribution metadata', 'View apps and the usage they cause'),
  ('platform-gateway', 'limits:manage', 'Manage spend and usage limits', 'Manage spending and usage limits'),
  ('platform-gateway', 'org:admin', 'Manage organization-scoped administrative settings', 'Manage the organization''s gateway settings'),
  ('platform-gateway', 'organizations:provision', 'Provision organization-scoped service-client access', 'Create organizations and set up their gateway access'),
  ('platform-gateway', 'provider_credentials:manage', 'Manage provider credentials and platform defaults', 'Manage provider credentials'),
  ('platform-gateway', 'service:invoke', 'Invoke service-client routes through authenticated service-client contexts', 'Call the gateway on behalf of a service'),
  ('platform-gateway', 'usage:read', 'View usage, budget and provider telemetry', 'View usage, budgets and provider health'),
  ('platform-gateway', 'images:override', 'Override limits of image generation', 'Generate images beyond the usage limits'),
  ('platform-gateway', 'usage:write', 'Report usage', 'Report usage to the gateway'),
  ('platform-dashboard-api', 'api_keys:write', 'Manage the service''s machine credentials', 'Create, rotate and revoke API keys'),
  ('platform-dashboard-api', 'launcher:read', 'View the launcher', 'View the app launcher'),
  ('platform-dashboard-api', 'launches:read', 'View launches of apps', 'View when apps were opened'),
  ('platform-dashboard-api', 'notifications:write', 'Raise and settle notifications', 'Create and resolve notifications'),
  ('platform-dashboard-api', 'settings:write', 'Change settings', 'Edit settings'),
  ('platform-dashboard-api', 'workflows:write', 'Make and change workflows', 'Create and edit workflows'),
  ('platform-pay', 'audit:read', 'View audit logs', 'View the audit log'),
  ('platform-pay', 'invoices:write', 'Make and change invoices', 'Create and edit invoices'),
  ('platform-pay', 'payments:create', 'Create payment or checkout sessions', 'Create payments and checkout sessions'),
  ('platform-pay', 'settings:write', 'Change settings', 'Edit settings'),
  ('platform-pay', 'settlements:write', 'Accept peer-to-peer settlement batches', 'Submit settlement batches'),
  ('platform-pay', 'transactions:write', 'Make and change transactions', 'Create and edit transactions')
) AS "words" ("slug", "permission", "before", "after")
JOIN "identity"."services" ON "services"."slug" = "words"."slug"
WHERE "permission"."service_id" = "services"."id" AND "permission"."permission" = "words"."permission"
  AND "permission"."description" = "words"."before";
--> statement-breakpoint
UPDATE "identity"."services" SET "description" = "words"."after"
FROM (VALUES
  ('platform-gateway', 'Providers, usage and budgets', 'AI models, connections, usage and budgets'),
  ('platform-socialize', 'Publishing to social networks', 'Plan and publish posts to social networks'),
  ('platform-dashboard-api', 'Dashboard and launcher of an organization', 'Dashboard and app launcher'),
  ('platform-developer-console', 'Apps, their actions and their keys', 'Build apps, and manage their actions and keys')
) AS "words" ("slug", "before", "after")
WHERE "services"."slug" = "words"."slug" AND "services"."description" = "words"."before";
