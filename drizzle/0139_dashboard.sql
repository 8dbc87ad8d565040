CREATE SCHEMA "dashboard";
--> statement-breakpoint
CREATE TABLE "dashboard"."notifications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"surface" text NOT NULL,
	"service" text,
	"kind" text,
	"permission" text,
	"resource_kind" text,
	"resource_id" uuid,
	"person_id" uuid,
	"cause" text NOT NULL,
	"title" text NOT NULL,
	"reason" text NOT NULL,
	"href" text NOT NULL,
	"actions" jsonb NOT NULL,
	"due_at" timestamp (3) with time zone,
	"raised_at" timestamp (3) with time zone NOT NULL,
	"version" integer NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"resolved_by" uuid,
	"assignee_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notifications_surface" CHECK ("dashboard"."notifications"."surface" IN ('action', 'notice')),
	CONSTRAINT "notifications_resource" CHECK (("dashboard"."notifications"."resource_kind" IS NULL) = ("dashboard"."notifications"."resource_id" IS NULL)),
	CONSTRAINT "notifications_resolved_by" CHECK ("dashboard"."notifications"."resolved_by" IS NULL OR "dashboard"."notifications"."resolved_at" IS NOT NULL)
);
--> statement-breakpoint
ALTER TABLE "platform"."raised_actions" ADD COLUMN "surface" text DEFAULT 'action' NOT NULL;--> statement-breakpoint
ALTER TABLE "platform"."raised_actions" ADD COLUMN "service" text;--> statement-breakpoint
ALTER TABLE "platform"."raised_actions" ADD COLUMN "kind" text;--> statement-breakpoint
ALTER TABLE "platform"."raised_actions" ADD COLUMN "permission" text;--> statement-breakpoint
ALTER TABLE "platform"."raised_actions" ADD COLUMN "resource_kind" text;--> statement-breakpoint
ALTER TABLE "platform"."raised_actions" ADD COLUMN "resource_id" uuid;--> statement-breakpoint
ALTER TABLE "platform"."raised_actions" ADD COLUMN "person_id" uuid;--> statement-breakpoint
ALTER TABLE "platform"."raised_actions" ADD COLUMN "due_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "notifications_open" ON "dashboard"."notifications" USING btree ("organization_id","id") WHERE resolved_at IS NULL;--> statement-breakpoint
CREATE INDEX "notifications_resolved" ON "dashboard"."notifications" USING btree ("organization_id","resolved_at") WHERE resolved_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "notifications_expiry" ON "dashboard"."notifications" USING btree ("resolved_at") WHERE resolved_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "notifications_person" ON "dashboard"."notifications" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "raised_actions_person" ON "platform"."raised_actions" USING btree ("person_id") WHERE person_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE "platform"."raised_actions" ADD CONSTRAINT "raised_actions_surface" CHECK ("platform"."raised_actions"."surface" IN ('action', 'notice'));--> statement-breakpoint
ALTER TABLE "platform"."raised_actions" ADD CONSTRAINT "raised_actions_resource" CHECK (("platform"."raised_actions"."resource_kind" IS NULL) = ("platform"."raised_actions"."resource_id" IS NULL));--> statement-breakpoint
-- Launched from the app switcher. What an administrator has edited stays.
UPDATE identity.services SET launchable = true, web_url = '/dashboard'
WHERE slug = 'platform-dashboard-api' AND web_url IS NULL;
--> statement-breakpoint
UPDATE identity.services SET launchable = true, web_url = '/pay', icon = coalesce(icon, 'wallet')
WHERE slug = 'platform-pay' AND web_url IS NULL;
