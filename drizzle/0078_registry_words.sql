UPDATE "identity"."services" SET "description" = 'Dashboard and launcher of an organization'
WHERE "slug" = 'platform-dashboard-api' AND "description" = 'Workspace dashboard and launcher';
--> statement-breakpoint
UPDATE "identity"."service_permissions" SET "description" = 'View the organization''s entitlements'
WHERE "permission" = 'entitlements:read' AND "description" = 'View the workspace''s entitlements';
