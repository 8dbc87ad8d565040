CREATE TABLE "platform"."exports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid,
	"requested_by" uuid NOT NULL,
	"recipient" text NOT NULL,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"bytes" bigint,
	CONSTRAINT "exports_state" CHECK ("platform"."exports"."state" IN ('running', 'ready', 'failed')),
	CONSTRAINT "exports_settled" CHECK (("platform"."exports"."settled_at" IS NULL) = ("platform"."exports"."state" = 'running')),
	CONSTRAINT "exports_bytes" CHECK (("platform"."exports"."bytes" IS NULL) = ("platform"."exports"."state" <> 'ready'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX "exports_running_organization" ON "platform"."exports" USING btree ("organization_id") WHERE state = 'running' AND organization_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "exports_running_person" ON "platform"."exports" USING btree ("requested_by") WHERE state = 'running' AND organization_id IS NULL;--> statement-breakpoint
CREATE INDEX "exports_requested_by" ON "platform"."exports" USING btree ("requested_by","id");--> statement-breakpoint
CREATE INDEX "exports_expires_at" ON "platform"."exports" USING btree ("expires_at");